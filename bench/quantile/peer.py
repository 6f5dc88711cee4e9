"""A Python contender of the quantile benchmark: `PROGRAM SECONDS DRAWS FOLDER`."""

import sys

import numpy

from bench.quantile.cases import kind_and_fraction
from bench.quantile.data import read
from bench.worker import call_seconds

LEAST = 0.5  # a figure is above 0; nobody's 95 in a hundred is below half a rank


def rank_error(incomes, fraction, value):
    """From fraction * n to the ranks that the value has: sorted incomes."""
    wanted = fraction * len(incomes)
    below, up_to = numpy.searchsorted(incomes, value, "left"), numpy.searchsorted(incomes, value, "right")
    return max(0.0, wanted - up_to, below - wanted)


def serve(prepare):
    """`prepare(values, fraction)` gives a call that returns one private quantile at epsilon 1."""
    seconds, draws = float(sys.argv[1]), int(sys.argv[2])
    incomes = read(sys.argv[3])
    values, ordered = incomes.tolist(), numpy.sort(incomes)
    print("ready", flush=True)
    for line in sys.stdin:
        kind, fraction = kind_and_fraction(line.strip())
        call = prepare(values, fraction)
        if kind == "time":
            print(1e3 * call_seconds(call, seconds), flush=True)
            continue
        errors = sorted(rank_error(ordered, fraction, call()) for _ in range(draws))
        print(max(LEAST, errors[(95 * draws - 1) // 100]), flush=True)
