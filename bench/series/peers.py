"""What others do with the same noise, in units of the noise that one number would need: a case a line.

Usage: peers.py tree | own | dense
"""

import math
import sys

from bench.series.cases import LINES, least_mean

# jax-privacy 2.0.0, matrix_factorization.dense.optimize, measured once: 63 s of two cores for 256 steps.
DENSE = {("mean", 256, 1): 2.5250}


def tree(steps, most, kind):
    """The binary tree of Dwork, Naor, Pitassi and Rothblum, its nodes of a prefix added up; of units that count once."""
    if most > 1:
        return None
    ones = [bin(step).count("1") for step in range(1, steps + 1)]
    return math.sqrt(math.ceil(math.log2(steps)) + 1) * math.sqrt(sum(ones) / steps if kind == "mean" else max(ones))


def own(steps, most, kind):
    return math.sqrt(most) * math.sqrt((steps + 1) / 2 if kind == "mean" else steps)


def answer(peer, line):
    if line not in LINES:
        return None
    steps, most, _, kind = LINES[line]
    if peer == "bound":
        return least_mean(steps) if kind == "mean" and most == 1 else None
    if peer == "dense":
        return DENSE.get((kind, steps, most))
    return {"tree": tree, "own": own}[peer](steps, most, kind)


def main():
    print("ready", flush=True)
    for line in sys.stdin:
        found = answer(sys.argv[1], line.strip())
        print("none it was not measured there" if found is None else found, flush=True)


if __name__ == "__main__":
    main()
