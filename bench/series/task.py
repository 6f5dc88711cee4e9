"""The benchmark of series: the error of running totals that plans state, beside the tree, own noise, a dense optimum and the bound."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.series.cases import LINES
from bench.targets import LimitTarget, TimesTarget

VERNIER = os.path.join(ROOT, "build", "bench", "bin", "vernier")


def peer(name, words, note):
    return Contender(name, [sys.executable, "-m", "bench.series.peers", words], note)


def series(quick):
    del quick  # it takes a second as it is
    program = [sys.executable, "-m", "bench.series.vernier", VERNIER]
    long, short, often, _ = LINES
    return Task(
        name="series",
        cases=tuple(Case(name, "noises of one number", less_is_better=True) for name in LINES),
        contenders=(
            Contender("vernier", program, "the error that the plan states", needs=VERNIER),
            peer("tree", "tree", "the plain binary tree, as OpenDP's"),
            peer("own noise", "own", "every step with noise of its own"),
            peer("jax-privacy dense", "dense", "its optimum, measured once: 63 s for 256 steps"),
            peer("nuclear bound", "bound", "under which no matrix comes"),
        ),
        targets=(
            TimesTarget("1024 steps: over the bound at most", 1.03, "nuclear bound", (long,)),
            TimesTarget("256 steps: over the dense optimum at most", 1.015, "jax-privacy dense", (short,)),
            LimitTarget("30 steps a unit: at most", 60.5, (often,)),
        ),
        rounds=1,
    )


if __name__ == "__main__":
    sys.exit(main(series))
