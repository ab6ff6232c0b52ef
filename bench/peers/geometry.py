#!/usr/bin/env python3
"""Tailor's geometry beside its peers: GUDHI, ripser.py, giotto-ph and POT.

Both sides get the same files in one run. Values are compared first (1e-9 relative, bar by bar; a
Gromov-Wasserstein value may also be lower), then the least of a few times counts, on one thread
unless said. Every measurement has a process of its own; memory is what it grows by at most.

    cmake --preset release && cmake --build build/release --target bench_geometry_peer
    python3 bench/peers/geometry.py                  # everything, about 10 minutes
    python3 bench/peers/geometry.py --quick          # without what takes a peer a minute
    python3 bench/peers/geometry.py --only w2 gw     # some of h1 w2 gw work profile
    python3 bench/peers/geometry.py --sizes 256      # some of 256 512 1024
    python3 bench/peers/geometry.py --markdown       # the table as docs/performance.md has it
    python3 bench/peers/geometry.py --whole-profile  # the peer takes all 300 pairs, extrapolating none

The peers are installed from PyPI into an environment of their own (--environment) on first use.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import platform
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = ["numpy>=1.26,<3", "scipy>=1.11", "scikit-learn>=1.3", "gudhi>=3.11,<4", "ripser>=0.6.8,<1",
            "giotto-ph>=0.2.2,<1", "POT>=0.9.4,<1"]
RADIUS = 0.5  # of the hyperbolic map, on both sides
TASKS = ["h1", "w2", "gw", "work", "profile"]


def arguments():
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/release/bin/bench_geometry_peer"))
    parser.add_argument("--environment", default=os.path.join(cache, "tailor-peers"), help="virtual environment of the peers")
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/peers"), help="for the clouds and distances")
    parser.add_argument("--only", nargs="+", choices=TASKS, default=TASKS)
    parser.add_argument("--sizes", nargs="+", type=int, default=[256, 512, 1024])
    parser.add_argument("--quick", action="store_true", help="leave out what takes a peer about a minute")
    parser.add_argument("--whole-profile", action="store_true", help="time the peer on every pair of the profile, not on eight")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--peer", nargs="+", help=argparse.SUPPRESS)  # TASK REPEATS FILE...: one peer, in this process
    return parser.parse_args()


# ---------------------------------------------------------------- the peers, each in its own process

def peak_megabytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def timed(repeats, task):
    with open("/proc/self/clear_refs", "w") as peak:
        peak.write("5")  # forget it
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
        result, value = timed(repeats, lambda: diagram_distance(a, b))
        result["value"] = value
    elif task.startswith("gw:"):
        a, b = numpy.load(files[0]), numpy.load(files[1])
        conditional_gradient(a[:3, :3], b[:3, :3], None)
        start = start_of(task[3:], a, b)
        result, value = timed(repeats, lambda: conditional_gradient(a, b, start))
        result["value"] = value
    elif task == "work":
        before, after = (numpy.load(f).astype(float) for f in files[:2])
        nine_statistics(before[:8], after[:8])
        result, values = timed(repeats, lambda: nine_statistics(before, after))
        result["values"] = values
    print(json.dumps(result))


# ---------------------------------------------------------------- the comparison

COLUMNS = ["case", "ours ms", "peer ms", "ratio", "asked", "our MB", "peer MB", "agree"]
LINE = "{:<40} {:>9} {:>34} {:>7} {:>6} {:>8} {:>8} {:>5}"


class Comparison:
    def __init__(self, options):
        self.options, self.rows, self.disagreements = options, [], 0
        self.python = os.path.join(options.environment, "bin", "python")
        self.one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        os.makedirs(options.folder, exist_ok=True)

    def install(self):
        if not os.path.exists(self.python):
            say(f"making the environment {self.options.environment}")
            subprocess.run([sys.executable, "-m", "venv", self.options.environment], check=True)
        complete = [self.python, "-c", "import numpy, scipy, sklearn, gudhi, ripser, gph, ot"]
        if subprocess.run(complete, capture_output=True).returncode:
            say("installing from PyPI: " + ", ".join(PACKAGES))
            subprocess.run([self.python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)

    def conditions(self):
        """Date, machine, load and versions, in one line."""
        names = [p.split(">")[0] for p in PACKAGES]
        code = "import sys, importlib.metadata as m; print(', '.join(n + ' ' + m.version(n) for n in sys.argv[1:]))"
        versions = subprocess.run([self.python, "-c", code, *names], capture_output=True, text=True).stdout.strip()
        with open("/proc/cpuinfo") as cpu:
            model = next((line.split(":")[1].strip() for line in cpu if line.startswith("model name")), platform.machine())
        return (f"{datetime.date.today()}, {os.cpu_count()} cores of {model}, load {os.getloadavg()[0]:.2f}; "
                f"Python {platform.python_version()}, {versions}")

    def ours(self, *words):
        done = subprocess.run([self.options.binary, *map(str, words)], capture_output=True, text=True, env=self.one_thread)
        if done.returncode:
            raise SystemExit(f"geometry.py: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def theirs(self, *words):
        command = [self.python, os.path.abspath(__file__), "--peer", *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True, env=self.one_thread)
        if done.returncode:
            raise SystemExit(f"geometry.py: the peer failed: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout.splitlines()[-1])

    def file(self, *parts):
        return os.path.join(self.options.folder, "-".join(map(str, parts)))

    def clouds(self, kind, n):
        layer = 15
        files = [self.file(kind, n, side + ".npy") for side in ("before", "after")]
        self.ours("clouds", kind, n, layer, *files)
        return files

    def distances(self, kind, n, geometry):
        files = []
        for cloud in self.clouds(kind, n):
            files.append(cloud.replace(".npy", f"-{geometry}.npy"))
            self.ours("distances", 1, cloud, geometry, files[-1])
        return files

    def diagrams(self, kind, n, geometry):
        files = []
        for distances in self.distances(kind, n, geometry):
            files.append(distances.replace(".npy", ".csv"))
            self.ours("h1", 1, distances, files[-1])
        return files

    def add(self, case, ours, peer_name, theirs, agree, asked):
        self.disagreements += not agree
        self.rows.append([case, three_digits(1000 * ours["seconds"]), f"{three_digits(1000 * theirs['seconds'])} ({peer_name})",
                          three_digits(theirs["seconds"] / ours["seconds"]), asked or "", f"{ours['megabytes']:.1f}",
                          f"{theirs['megabytes']:.1f}", "yes" if agree else "NO"])
        if not self.options.markdown:
            print(LINE.format(*self.rows[-1]), flush=True)

    def h1(self, kind, n, geometry, asked=None):
        distances = self.distances(kind, n, geometry)[0]
        slow = kind == "sphere" and n > 256
        ours = self.ours("h1", 7 if n < 1024 else 3, distances, self.file("ours.csv"))
        best, name, agree = None, None, True
        for peer_name in H1_PEERS:
            say(f"  {peer_name}" + (", a minute or more" if slow else ""))
            theirs = self.theirs(f"h1:{peer_name}", 1 if slow else 3, distances, self.file("theirs.csv"))
            agree &= same_bars(self.file("ours.csv"), self.file("theirs.csv"))
            if best is None or theirs["seconds"] < best["seconds"]:
                best, name = theirs, peer_name
        self.add(f"H1 {kind} {geometry} {n}", ours, name, best, agree, asked)

    def w2(self, kind, n, geometry, asked=None):
        files = self.diagrams(kind, n, geometry)
        sizes = [sum(1 for _ in open(f)) for f in files]
        ours, theirs = self.ours("w2", 7, *files), self.theirs("w2", 3, *files)
        self.add(f"W2 {kind} {geometry} {n}: {sizes[0]} x {sizes[1]} bars", ours, "gudhi + POT", theirs,
                 same(ours["value"], theirs["value"]), asked)

    def gw(self, n, start, asked=None):
        files = self.distances("activations", n, "angles")
        ours, theirs = self.ours("gw", 5, *files, start), self.theirs(f"gw:{start}", 3 if n < 1024 else 2, *files)
        self.add(f"GW from {start} {n}", ours, "POT", theirs, ours["value"] <= theirs["value"] * (1 + 1e-9), asked)

    def work(self, n, asked=None):
        files = self.clouds("activations", n)
        ours, theirs = self.ours("work", 3, *files), self.theirs("work", 1, *files)
        self.add(f"nine statistics {n}", ours, "scipy + gudhi + POT", theirs, same_statistics(ours, theirs), asked)

    def profile(self, asked):
        """The peer works in two processes, on the very samples that make our profile."""
        layers, samples, tokens = 30, 10, 256
        every = 1 if self.options.whole_profile else 41  # 41 and 30 have no factor in common: all depths
        ours = self.ours("profile", layers, samples, tokens, 2, every, self.options.folder)
        pairs = ours["pairs"]
        agree = True
        results = []
        with concurrent.futures.ThreadPoolExecutor(2) as two:
            for done, result in enumerate(two.map(lambda pair: self.theirs("work", 1, *pair), pairs), 1):
                results.append(result)
                say(f"  pair {done} of {len(pairs)}")
        for pair, result in zip(pairs, results):
            agree &= same_statistics(self.ours("work", 1, *pair), result)
            for file in pair:
                os.remove(file)
        spent = sum(result["seconds"] for result in results) / 2
        theirs = {"seconds": spent * layers * samples / len(pairs), "megabytes": 2 * max(r["megabytes"] for r in results)}
        name = f"the same, {len(pairs)} of {layers * samples} pairs"
        self.add(f"profile {layers} x {samples} x {tokens}, 2 threads", ours, name, theirs, agree, asked)

    def cases(self):
        """(task, seconds it takes about, name, how to run it)"""
        for n in self.options.sizes:
            large = n >= 512
            growth = (n / 512) ** 3
            yield "h1", 2 + 2 * growth, f"H1 activations raw {n}", lambda n=n: self.h1("activations", n, "raw")
            yield "h1", 3 + 3 * growth, f"H1 activations angles {n}", lambda n=n, a=10 if large else None: self.h1("activations", n, "angles", a)
            if n <= 512 and not (large and self.options.quick):
                yield "h1", 10 if n <= 256 else 300, f"H1 sphere {n}", lambda n=n, a=1500 if large else None: self.h1("sphere", n, "angles", a)
            bars = 3 * n // 2  # tokens that have about n bars
            yield "w2", 3 + growth, f"W2 activations {bars}", lambda n=bars, a=12 if large else None: self.w2("activations", n, "angles", a)
            if n <= 256:
                yield "w2", 4, f"W2 sphere {n}", lambda n=n: self.w2("sphere", n, "angles", 2)
            yield "gw", 3 + growth, f"GW from identity {n}", lambda n=n, a=6 if large else None: self.gw(n, "identity", a)
            yield "gw", 3 + 3 * growth, f"GW from product {n}", lambda n=n, a=8 if large else None: self.gw(n, "product", a)
            if n <= 512 or not self.options.quick:
                yield "work", 6 + 10 * growth, f"nine statistics {n}", lambda n=n, a=10 if n == 512 else None: self.work(n, a)
        yield "profile", 250 if self.options.whole_profile else 45, "profile", lambda: self.profile(20)

    def run(self):
        cases = [case for case in self.cases() if case[0] in self.options.only]
        left = sum(seconds for _, seconds, _, _ in cases)
        for done, (_, seconds, name, run) in enumerate(cases, 1):
            say(f"[{done}/{len(cases)}, about {left / 60:.0f} min left] {name}")
            run()
            left -= seconds


def same(x, y):
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))


def same_bars(first, second):
    def read(name):
        with open(name) as lines:
            return sorted(tuple(map(float, line.split(","))) for line in lines if line.strip())
    a, b = read(first), read(second)
    return len(a) == len(b) and all(same(x, y) for p, q in zip(a, b) for x, y in zip(p, q))


def same_statistics(ours, theirs):
    """A distortion may be lower: both sides end at local minima."""
    return all(ours["values"][key] <= value * (1 + 1e-9) if "distortion" in key else same(ours["values"][key], value)
               for key, value in theirs["values"].items())


def three_digits(x):
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 100 else f"{x:.3g}"


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = arguments()
    if options.peer:
        peer(options.peer[0], int(options.peer[1]), *options.peer[2:])
        return 0
    if not os.path.exists(options.binary):
        raise SystemExit(f"geometry.py: no {options.binary}; build the target bench_geometry_peer or give --binary")
    comparison = Comparison(options)
    comparison.install()
    conditions = comparison.conditions()
    if not options.markdown:
        print(conditions + "\n" + LINE.format(*COLUMNS), flush=True)
    comparison.run()
    if options.markdown:
        print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
        for row in comparison.rows:
            print("| " + " | ".join(map(str, row)) + " |")
        print("\n" + conditions)
    if comparison.disagreements:
        say(f"geometry.py: {comparison.disagreements} cases disagree")
    return 1 if comparison.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
