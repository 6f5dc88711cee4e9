"""The benchmark of intervals: how wide each kind is over what the worst cell of an exact search needs."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.intervals import cases
from bench.main import main
from bench.targets import LimitTarget

VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_intervals_vernier")


def intervals(quick):
    del quick  # nothing is drawn or timed
    return Task(
        name="intervals",
        cases=tuple(Case(name, "of the need", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=(Contender("vernier", [VERNIER], "exact sums over all samples, no noise", needs=VERNIER),),
        targets=tuple(
            LimitTarget(f"{kind}: at most so much of the need", goal, names_of(kind))
            for kind, (goal, _) in cases.KINDS.items()
        ),
        rounds=1,
    )


def names_of(kind):
    return tuple(cases.name(kind, rows, alpha) for rows in cases.KINDS[kind][1] for alpha in cases.ALPHAS)


if __name__ == "__main__":
    sys.exit(main(intervals))
