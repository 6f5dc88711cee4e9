"""Google's C++ library through python-dp: bounded variance and deviation, and a count of people."""

import sys
import time

from pydp.algorithms.laplacian import BoundedStandardDeviation, BoundedVariance, Count

from bench.statistics import cases
from bench.worker import serve_figures

LEAST = 50  # releases, however short the time


def released(statistic, data, epsilon):
    if statistic == "people":
        return Count(epsilon=epsilon, dtype="int").quick_result(data)
    kind = BoundedVariance if statistic == "variance" else BoundedStandardDeviation
    return kind(epsilon=epsilon, lower_bound=0.0, upper_bound=cases.UPPER, dtype="float").quick_result(data)


def mean_error(line):
    statistic, rows, epsilon = cases.parse(line)
    data = list(range(rows)) if statistic == "people" else cases.values(rows)
    exact, total, count = cases.exact(statistic, rows), 0.0, 0
    end = time.thread_time() + float(sys.argv[1])
    while count < LEAST or time.thread_time() < end:
        total += abs(released(statistic, data, epsilon) - exact)
        count += 1
    return total / count


if __name__ == "__main__":
    serve_figures(mean_error)
