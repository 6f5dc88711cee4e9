"""The benchmark of relations: how far private slopes are from the exact ones at one epsilon, and how long intervals are."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.relations import cases
from bench.targets import LimitTarget, TimesTarget

CACHE = os.environ.get("VERNIER_DEPS") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "vernier"
)
VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_relations_vernier")
PYTHON = os.path.join(CACHE, "bench-relations-venv", "bin", "python")
PEERS = ("diffprivlib", "adassp")
LARGE = (2_500, 25_000)


def names(figure, rows=cases.ROWS):
    return tuple(cases.name(figure, n) for n in rows)


def peer(name, seconds):
    command = [PYTHON, "-m", "bench.relations.peers", seconds, name]
    return Contender(name, command, "a number without an interval", needs=PYTHON)


def relations(quick):
    seconds = "0.2" if quick else "10"
    return Task(
        name="relations",
        cases=tuple(Case(name, "figure", less_is_better=True, line=line) for name, line in cases.ALL.items()),
        contenders=(
            Contender("vernier", [VERNIER, seconds], "node sums and their proven interval", needs=VERNIER),
            *(peer(name, seconds) for name in PEERS),
        ),
        targets=(
            *(TimesTarget(f"error of a slope at most that of {one}, times", 0.25, one, names("error", LARGE)) for one in PEERS),
            LimitTarget("half width over the errors of the value", 1.15, names("margin")),
            LimitTarget("half width over that of the plug-in", 1.10, names("plug-in", LARGE)),
            LimitTarget("half width over that of the plug-in, large", 1.05, names("plug-in", LARGE[1:])),
            LimitTarget("the plan's half width over the real one", 2.0, names("forecast")),
            LimitTarget("milliseconds for a slope", 2.0, names("slope")),
            LimitTarget("milliseconds for a regression on four columns", 50.0, names("regression")),
        ),
        rounds=1,  # the best of several would flatter whoever has the larger noise
    )


if __name__ == "__main__":
    sys.exit(main(relations))
