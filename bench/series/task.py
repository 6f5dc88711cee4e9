"""The benchmark of series: the error of running totals that plans state, beside the tree, own noise, a dense optimum and the bound."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.series.cases import EPSILON, LINES, MILLISECONDS
from bench.targets import LimitTarget, TimesTarget

STEPS = os.path.join(ROOT, "build", "bench", "bin", "bench_series_steps")
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "vernier")


def peer(name, words, note):
    return Contender(name, [sys.executable, "-m", "bench.series.peers", words], note)


def series(quick):
    del quick  # a year of steps takes half a minute, the rest a second
    program = [sys.executable, "-m", "bench.series.vernier", VERNIER, STEPS]
    long, short, often, _ = LINES
    choice, step = MILLISECONDS
    return Task(
        name="series",
        cases=(*(Case(name, "noises of one number", less_is_better=True) for name in LINES),
               Case(EPSILON, "times", less_is_better=True),
               *(Case(name, "ms", less_is_better=True) for name in MILLISECONDS)),
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
            LimitTarget("epsilon over the Gaussian's: at most", 1.0001, (EPSILON,)),
            LimitTarget("ms to choose a matrix: at most", 10.0, (choice,)),
            LimitTarget("ms of a step beyond reading: at most", 50.0, (step,)),
        ),
        rounds=1,
    )


if __name__ == "__main__":
    sys.exit(main(series))
