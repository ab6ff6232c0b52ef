#!/usr/bin/env python3
"""Tailor's geometry beside its peers: GUDHI, ripser.py, giotto-ph and POT.

Both sides get the same files in one run. Values are compared first (1e-9 relative, bar by bar; a
Gromov-Wasserstein value may also be lower), then the least of a few times is taken, on one thread
unless said. Memory is what the peak of a process of its own grows by.

    cmake --build build/release --target bench_geometry_peer
    python3 bench/peers/geometry.py                 # everything, about 15 minutes
    python3 bench/peers/geometry.py --quick         # without what takes a peer a minute
    python3 bench/peers/geometry.py --only w2 gw    # some of h1 w2 gw work profile
    python3 bench/peers/geometry.py --markdown      # the table as docs/performance.md has it

The peers are installed from PyPI into an environment of their own (--environment) on first use.
"""
import argparse
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ["numpy>=1.26,<3", "scipy>=1.11", "scikit-learn>=1.3", "gudhi>=3.11,<4", "ripser>=0.6.8,<1",
            "giotto-ph>=0.2.2,<1", "POT>=0.9.4,<1"]
RADIUS = 0.5  # of the hyperbolic map, on both sides


def arguments():
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/release/bin/bench_geometry_peer"))
    parser.add_argument("--environment", default=os.path.join(cache, "tailor-peers"), help="virtual environment of the peers")
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/peers"), help="for the clouds and distances")
    parser.add_argument("--only", nargs="+", choices=["h1", "w2", "gw", "work", "profile"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[256, 512, 1024])
    parser.add_argument("--quick", action="store_true", help="leave out peers that take over a minute")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--peer", nargs="+", help=argparse.SUPPRESS)  # TASK REPEATS FILE...: one peer, in this process
    return parser.parse_args()


# ---------------------------------------------------------------- the peers, each in its own process

def peak_megabytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def timed(repeats, task):
    before, least, value = peak_megabytes(), float("inf"), None
    for _ in range(repeats):
        start = time.perf_counter()
        value = task()
        least = min(least, time.perf_counter() - start)
    return {"seconds": least, "megabytes": peak_megabytes() - before}, value


def bars_of(diagram):
    import numpy
    diagram = numpy.asarray(diagram, float).reshape(-1, 2)
    diagram = diagram[diagram[:, 1] > diagram[:, 0]]
    return diagram[numpy.lexsort((diagram[:, 1], diagram[:, 0]))]


def gudhi_h1(distances):
    from gudhi.sklearn.rips_persistence import RipsPersistence
    rips = RipsPersistence(homology_dimensions=[1], input_type="full distance matrix", homology_coeff_field=2)
    return rips.fit_transform([distances])[0][0]


def ripser_h1(distances):
    from ripser import ripser
    return ripser(distances, distance_matrix=True, maxdim=1)["dgms"][1]


def giotto_h1(distances):
    from gph import ripser_parallel
    return ripser_parallel(distances, metric="precomputed", maxdim=1, n_threads=1)["dgms"][1]


H1_PEERS = {"gudhi": gudhi_h1, "ripser.py": ripser_h1, "giotto-ph": giotto_h1}


def diagram_distance(a, b):
    from gudhi.wasserstein import wasserstein_distance
    return float(wasserstein_distance(a, b, order=2, internal_p=2))


def conditional_gradient(a, b, start):
    """POT's value, summed without cancellation where the coupling is a permutation."""
    import numpy
    import ot
    n = len(a)
    weights = numpy.full(n, 1 / n)
    coupling = ot.gromov.gromov_wasserstein(a, b, weights, weights, "square_loss", symmetric=True, G0=start,
                                            tol_rel=1e-12, tol_abs=1e-12)
    rows, columns = numpy.nonzero(coupling > 1e-9 / n)
    if len(rows) == n:
        return float(numpy.mean((a - b[numpy.ix_(columns, columns)]) ** 2))
    return float(numpy.mean(a * a) + numpy.mean(b * b) - 2 * numpy.sum((a @ coupling @ b) * coupling))


def start_of(name, a, b):
    import numpy
    n = len(a)
    if name == "product":
        return None
    if name == "identity":
        return numpy.eye(n) / n
    # Points in the order of their distance to the outermost point of either cloud.
    order = [numpy.argsort(d[numpy.argmax(d.sum(1))], kind="stable") for d in (a, b)]
    start = numpy.zeros((n, n))
    start[order[0], order[1]] = 1 / n
    return start


def nine_statistics(before, after):
    import numpy
    from scipy.spatial.distance import pdist, squareform
    values = {}
    units = [x / numpy.linalg.norm(x, axis=1, keepdims=True) for x in (before, after)]
    maps = {"raw": lambda length: length,
            "spherical": lambda chord: 2 * numpy.arcsin(numpy.minimum(chord / 2, 1)),
            "hyperbolic": lambda chord: 2 * numpy.arcsinh(RADIUS * chord / (1 - RADIUS ** 2))}
    for geometry, of in maps.items():
        x, y = (before, after) if geometry == "raw" else units
        values[geometry + ".shift"] = float(of(numpy.linalg.norm(x - y, axis=1)).mean())
        a, b = squareform(of(pdist(x))), squareform(of(pdist(y)))
        least = min(conditional_gradient(a, b, start_of(s, a, b)) for s in ("identity", "product", "anchor"))
        values[geometry + ".distortion"] = 0.5 * max(0.0, least) ** 0.5
        values[geometry + ".topological"] = diagram_distance(bars_of(gudhi_h1(a)), bars_of(gudhi_h1(b)))
    return values


def peer(task, repeats, *files):
    """One peer on the given files; prints what timed() says, with the value."""
    import warnings
    warnings.filterwarnings("ignore")
    import numpy
    if task.startswith("h1:"):
        distances = numpy.load(files[0])
        run = H1_PEERS[task[3:]]
        run(distances[:8, :8].copy())  # imports are not charged
        result, diagram = timed(repeats, lambda: run(distances))
        numpy.savetxt(files[1], bars_of(diagram), delimiter=",", fmt="%.17g")
    elif task == "w2":
        a, b = (numpy.loadtxt(f, delimiter=",").reshape(-1, 2) for f in files[:2])
        diagram_distance(a[:2], b[:2])
        result, result_value = timed(repeats, lambda: diagram_distance(a, b))
        result["value"] = result_value
    elif task.startswith("gw:"):
        a, b = numpy.load(files[0]), numpy.load(files[1])
        conditional_gradient(a[:3, :3], b[:3, :3], None)
        start = start_of(task[3:], a, b)
        result, result_value = timed(repeats, lambda: conditional_gradient(a, b, start))
        result["value"] = result_value
    elif task == "work":
        before, after = (numpy.load(f).astype(float) for f in files[:2])
        nine_statistics(before[:8], after[:8])
        result, result["values"] = (lambda r: (r[0], r[1]))(timed(repeats, lambda: nine_statistics(before, after)))
    print(json.dumps(result))


# ---------------------------------------------------------------- the comparison

class Comparison:
    def __init__(self, options):
        self.options, self.rows, self.disagreements = options, [], 0
        self.python = os.path.join(options.environment, "bin", "python")
        self.quiet = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        os.makedirs(options.folder, exist_ok=True)

    def install(self):
        if not os.path.exists(self.python):
            say(f"installing the peers into {self.options.environment}")
            subprocess.run([sys.executable, "-m", "venv", self.options.environment], check=True)
        try:
            subprocess.run([self.python, "-c", "import numpy, scipy, sklearn, gudhi, ripser, gph, ot"], check=True, capture_output=True)
        except subprocess.CalledProcessError:
            subprocess.run([self.python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)

    def ours(self, *words):
        done = subprocess.run([self.options.binary, *map(str, words)], capture_output=True, text=True, env=self.quiet)
        if done.returncode:
            raise SystemExit(f"geometry.py: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def theirs(self, *words):
        command = [self.python, os.path.abspath(__file__), "--peer", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, env=self.quiet)
        if done.returncode:
            raise SystemExit(f"geometry.py: the peer failed: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def file(self, *parts):
        return os.path.join(self.options.folder, "-".join(map(str, parts)))

    def clouds(self, kind, n, layer=15):
        files = [self.file(kind, n, layer, side + ".npy") for side in ("before", "after")]
        self.ours("clouds", kind, n, layer, *files)
        return files

    def distances(self, kind, n, geometry):
        files = []
        for cloud in self.clouds(kind, n):
            files.append(cloud.replace(".npy", f"-{geometry}.npy"))
            self.ours("distances", cloud, geometry, files[-1])
        return files

    def diagrams(self, kind, n, geometry):
        files = []
        for distances in self.distances(kind, n, geometry):
            files.append(distances.replace(".npy", ".csv"))
            self.ours("h1", 1, distances, files[-1])
        return files

    def add(self, case, ours, peer_name, theirs, agree, least):
        ratio = theirs["seconds"] / ours["seconds"]
        self.disagreements += not agree
        row = [case, f"{1000 * ours['seconds']:.4g}", f"{1000 * theirs['seconds']:.4g} ({peer_name})", f"{ratio:.3g}",
               f"{least:g}", f"{ours.get('megabytes', 0):.1f}", f"{theirs.get('megabytes', 0):.1f}", "yes" if agree else "NO"]
        self.rows.append(row)
        if not self.options.markdown:
            print(("{:<34} {:>9} {:>22} {:>7} {:>6} {:>8} {:>8} {:>5}").format(*row), flush=True)

    def h1(self, kind, n, geometry, least):
        distances = self.distances(kind, n, geometry)[0]
        repeats = 7 if n < 1024 else 3
        slow = kind == "sphere" and n > 256
        ours = self.ours("h1", repeats, distances, self.file("ours.csv"))
        best, name, agree = None, None, True
        for peer_name in H1_PEERS:
            say(f"h1 {kind} {n}: {peer_name}" + (", a minute or more" if slow else ""))
            theirs = self.theirs(f"h1:{peer_name}", 1 if kind == "sphere" else 3, distances, self.file("theirs.csv"))
            agree &= same_bars(self.file("ours.csv"), self.file("theirs.csv"), 1e-9 if peer_name == "gudhi" else 1e-5)
            if best is None or theirs["seconds"] < best["seconds"]:
                best, name = theirs, peer_name
        self.add(f"H1 {kind} {geometry} {n}", ours, name, best, agree, least)

    def w2(self, kind, n, geometry, least):
        files = self.diagrams(kind, n, geometry)
        sizes = [sum(1 for _ in open(f)) for f in files]
        ours, theirs = self.ours("w2", 7, *files), self.theirs("w2", 3, *files)
        agree = abs(ours["value"] - theirs["value"]) <= 1e-9 * theirs["value"]
        self.add(f"W2 {kind} {geometry} {n}: {sizes[0]} x {sizes[1]} bars", ours, "gudhi + POT", theirs, agree, least)

    def gw(self, n, start, least):
        files = self.distances("activations", n, "spherical")
        ours, theirs = self.ours("gw", 5, *files, start), self.theirs(f"gw:{start}", 3 if n < 1024 else 1, *files)
        agree = ours["value"] <= theirs["value"] * (1 + 1e-9)
        self.add(f"GW from {start} {n}", ours, "POT", theirs, agree, least)

    def work(self, n, least):
        files = self.clouds("activations", n)
        ours, theirs = self.ours("work", 3, *files), self.theirs("work", 1, *files)
        agree = all(ours["values"][key] <= value * (1 + 1e-9) if "distortion" in key else
                    abs(ours["values"][key] - value) <= 1e-9 * abs(value) for key, value in theirs["values"].items())
        self.add(f"nine statistics {n}", ours, "scipy + gudhi + POT", theirs, agree, least)

    def profile(self, least):
        """The peer works on six of 300 pairs of clouds in two processes; the rest is extrapolated."""
        layers, samples, tokens = 30, 10, 256
        ours = self.ours("profile", layers, samples, tokens, 2)
        chosen = range(2, layers, 5)
        files = {layer: self.clouds("activations", tokens, layer) for layer in chosen}
        start = time.perf_counter()
        command = [self.python, os.path.abspath(__file__), "--peer", "work", "1"]
        waiting, running, spent = list(chosen), [], 0.0
        while waiting or running:
            while waiting and len(running) < 2:
                running.append(subprocess.Popen(command + files[waiting.pop(0)], stdout=subprocess.PIPE, text=True, env=self.quiet))
            spent += json.loads(running.pop(0).communicate()[0].splitlines()[-1])["seconds"]
        say(f"profile: six pairs took the peer {time.perf_counter() - start:.1f} s, imports included")
        theirs = {"seconds": spent / len(chosen) * layers * samples / 2}
        self.add("profile 30 x 10 x 256, 2 threads", ours, "same, extrapolated", theirs, True, least)


def same_bars(first, second, tolerance):
    """Bar by bar; peers that compute in float32 by their sorted lengths, which move no more than their rounding does."""
    def read(name):
        with open(name) as lines:
            return sorted(tuple(map(float, line.split(","))) for line in lines if line.strip())
    a, b = read(first), read(second)
    if tolerance > 1e-9:
        scale = max((death for _, death in a), default=0)
        a, b = (sorted((death - birth for birth, death in bars), reverse=True) for bars in (a, b))
        length = max(len(a), len(b))
        return all(abs(x - y) <= tolerance * scale for x, y in zip(a + [0] * (length - len(a)), b + [0] * (length - len(b))))
    return len(a) == len(b) and all(abs(x - y) <= tolerance * max(abs(x), abs(y)) for p, q in zip(a, b) for x, y in zip(p, q))


def say(text):
    print(text, file=sys.stderr, flush=True)


HEADER = ["case", "ours ms", "peer ms", "ratio", "asked", "our MB", "peer MB", "agree"]


def main():
    options = arguments()
    if options.peer:
        peer(options.peer[0], int(options.peer[1]), *options.peer[2:])
        return 0
    if not os.path.exists(options.binary):
        raise SystemExit(f"geometry.py: no {options.binary}; build the target bench_geometry_peer or give --binary")
    comparison = Comparison(options)
    comparison.install()
    wanted = set(options.only or ["h1", "w2", "gw", "work", "profile"])
    if not options.markdown:
        print(("{:<34} {:>9} {:>22} {:>7} {:>6} {:>8} {:>8} {:>5}").format(*HEADER), flush=True)
    for n in options.sizes:
        if "h1" in wanted:
            comparison.h1("activations", n, "raw", 1)
            comparison.h1("activations", n, "spherical", 10 if n >= 512 else 1)
            if n <= 256 or (n <= 512 and not options.quick):
                comparison.h1("sphere", n, "spherical", 1500 if n >= 512 else 1)
        if "w2" in wanted:
            comparison.w2("activations", n, "spherical", 12)
            if n <= 256:
                comparison.w2("sphere", n, "spherical", 2)
        if "gw" in wanted:
            comparison.gw(n, "identity", 6 if n >= 512 else 1)
            comparison.gw(n, "product", 8 if n >= 512 else 1)
        if "work" in wanted and n <= 512:
            comparison.work(n, 10 if n >= 512 else 1)
    if "profile" in wanted:
        comparison.profile(20)
    if options.markdown:
        print("| " + " | ".join(HEADER) + " |\n|" + "---|" * len(HEADER))
        for row in comparison.rows:
            print("| " + " | ".join(row) + " |")
    if comparison.disagreements:
        say(f"geometry.py: {comparison.disagreements} cases disagree")
    return 1 if comparison.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
