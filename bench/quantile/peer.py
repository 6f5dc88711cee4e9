"""A Python contender of the quantile benchmark: `PROGRAM SECONDS DRAWS FOLDER`."""

import functools
import sys

import numpy

from bench.quantile.cases import LEAST, exceeded_by_five_in_a_hundred, kind_and_fraction, neighbour
from bench.quantile.data import read
from bench.worker import call_seconds

NEAR = 500  # ranks: a choice further away than this has a chance below e^-250 at epsilon 1


def rank_error(incomes, fraction, value):
    """From fraction * n to the ranks that the value has: sorted incomes."""
    wanted = fraction * len(incomes)
    below, up_to = numpy.searchsorted(incomes, value, "left"), numpy.searchsorted(incomes, value, "right")
    return max(0.0, wanted - up_to, below - wanted)


def near(incomes, fraction):
    """The values around the quantile, the first and the last one."""
    wanted = round(fraction * len(incomes))
    return int(incomes[wanted - NEAR]), int(incomes[min(wanted + NEAR, len(incomes) - 1)])


def serve(quantiles_of):
    """`quantiles_of(incomes)`, of a numpy array, gives `quantile(fraction, near)`: one private quantile at epsilon 1.

    `near` is None, or the first and the last value that can be chosen with a chance that matters.
    """
    seconds, draws = float(sys.argv[1]), int(sys.argv[2])
    incomes = read(sys.argv[3])
    quantile, ordered = quantiles_of(incomes), numpy.sort(incomes)

    @functools.cache
    def errors(fraction):
        found = []
        for draw in range(draws):
            p = neighbour(fraction, draw)
            found.append(rank_error(ordered, p, quantile(p, near(ordered, p))))
        return sorted(found)

    print("ready", flush=True)
    for line in sys.stdin:
        kind, fraction = kind_and_fraction(line.strip())
        if kind == "time":
            print(1e3 * call_seconds(lambda: quantile(fraction, None), seconds), flush=True)
        elif kind == "rank error":
            print(exceeded_by_five_in_a_hundred(errors(fraction)), flush=True)
        else:
            print(max(LEAST, sum(errors(fraction)) / draws), flush=True)
