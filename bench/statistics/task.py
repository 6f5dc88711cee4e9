"""The benchmark of statistics: how far variances, deviations and counts of people are from the exact ones, at one epsilon."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.statistics import cases
from bench.targets import TimesTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_statistics_vernier")
PYTHON = os.path.join(CACHE, "bench-statistics-venv", "bin", "python")

# Means over thousands of releases: two that are equal come out up to so much apart.
SAMPLING = 1.05


def statistics(quick):
    seconds = "0.5" if quick else "20"
    return Task(
        name="statistics",
        cases=tuple(Case(name, "mean error", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=(
            Contender("vernier", [VERNIER, seconds], "the whole way but for reading the table again", needs=VERNIER),
            Contender("google", [PYTHON, "-m", "bench.statistics.google", seconds], "C++ through python-dp", needs=PYTHON),
        ),
        targets=tuple(
            TimesTarget(f"{statistic}: error at most that of google, times", SAMPLING, "google", names_of(statistic))
            for statistic in cases.STATISTICS
        ),
        rounds=1,  # the best of several would flatter whoever has the larger noise
    )


def names_of(statistic):
    return tuple(cases.name(statistic, rows, epsilon) for rows in cases.ROWS for epsilon in cases.EPSILONS)


if __name__ == "__main__":
    sys.exit(main(statistics))
