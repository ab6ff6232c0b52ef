#!/usr/bin/env python3
"""Cost against the number of points, as a Markdown table with the exponents of a log-log fit.

    build/release/bin/bench_geometry --benchmark_format=json > geometry.json
    build/release/bin/bench_gromov_wasserstein --benchmark_format=json > gw.json
    python3 bench/cost_table.py geometry.json gw.json
"""
import collections
import json
import math
import sys


def exponent(costs):
    """The slope of log time against log n, by least squares."""
    x = [math.log(n) for n in costs]
    y = [math.log(t) for t in costs.values()]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def main():
    runs = []
    for name in sys.argv[1:]:
        with open(name) as file:
            runs += json.load(file)["benchmarks"]
    cases = collections.defaultdict(dict)
    for run in runs:
        if "error_occurred" in run and run["error_occurred"]:
            raise SystemExit(f"cost_table.py: {run['name']}: {run['error_message']}")
        name, n = run["name"].rsplit("/", 1)
        cases[name][int(n)] = run["cpu_time"]
    sizes = sorted({n for costs in cases.values() for n in costs})
    print("| ms, one thread | " + " | ".join(map(str, sizes)) + " | exponent |")
    print("|" + "---|" * (len(sizes) + 2))
    for name, costs in cases.items():
        cells = [f"{costs[n]:.3g}" if n in costs else "" for n in sizes]
        print(f"| {name} | " + " | ".join(cells) + f" | {exponent(costs):.1f} |")


if __name__ == "__main__":
    main()
