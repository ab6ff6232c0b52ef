#!/usr/bin/env python3
"""Cost against the number of points, time and memory, with the exponents of a log-log fit.

    cmake --preset release && cmake --build build/release --target bench_geometry_peer
    python3 bench/cost_table.py                 # up to 4096 points, about 10 minutes
    python3 bench/cost_table.py --largest 1024  # half a minute

Each task runs on clouds like activations, on one thread and in a process of its own: time is the
least of a few, memory what the process grows by at most. Prints a Markdown table.
"""
import argparse
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = [256, 512, 1024, 2048, 4096]


def measured(binary, folder, n):
    """(row of the table, seconds, megabytes) of every task on clouds of n points."""
    def run(*words):
        done = subprocess.run([binary, *map(str, words)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"cost_table.py: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def file(name):
        return os.path.join(folder, name)

    repeats = 5 if n <= 512 else 2 if n <= 1024 else 1
    clouds = [file("before.npy"), file("after.npy")]
    distances = [file("before-angles.npy"), file("after-angles.npy")]
    diagrams = [file("before.csv"), file("after.csv")]
    run("clouds", "activations", n, 15, *clouds)
    for cloud, to in zip(clouds, distances):
        result = run("distances", repeats, cloud, "angles", to)
    yield "distances (angles, 576 dimensions)", result
    for matrix, to in zip(distances, diagrams):
        result = run("h1", repeats, matrix, to)
    yield "H1", result
    yield "W2 of the H1 diagrams", run("w2", repeats, *diagrams)
    yield "GW from identity", run("gw", repeats, *distances, "identity")
    yield "GW, default", run("gw", repeats, *distances, "default")
    yield "nine statistics", run("work", repeats, *clouds)


def exponent(costs):
    """The slope of log cost against log n, by least squares."""
    x = [math.log(n) for n in costs]
    y = [math.log(cost) for cost in costs.values()]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def three_digits(x):
    return f"{float(f'{x:.3g}'):,.0f}" if x >= 100 else f"{x:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(ROOT, "build/release/bin/bench_geometry_peer"))
    parser.add_argument("--largest", type=int, default=SIZES[-1], choices=SIZES[1:])
    options = parser.parse_args()
    sizes = [n for n in SIZES if n <= options.largest]
    seconds, megabytes = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            for task, result in measured(options.binary, folder, n):
                print(f"n = {n}: {task}, {result['seconds']:.3g} s", file=sys.stderr, flush=True)
                seconds.setdefault(task, {})[n] = result["seconds"]
                megabytes.setdefault(task, {})[n] = result["megabytes"]
    print("| ms (MB) | " + " | ".join(map(str, sizes)) + " | time grows like | memory grows like |")
    print("|" + "---|" * (len(sizes) + 3))
    for task in seconds:
        cells = [f"{three_digits(1000 * seconds[task][n])} ({three_digits(megabytes[task][n])})" for n in sizes]
        growth = {n: max(megabytes[task][n], 2**-8) for n in sizes}  # a page
        print(f"| {task} | " + " | ".join(cells) + f" | n^{exponent(seconds[task]):.1f} | n^{exponent(growth):.1f} |")
    print(f"\n{datetime.date.today()}, load {os.getloadavg()[0]:.2f}.")


if __name__ == "__main__":
    main()
