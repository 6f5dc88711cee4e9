"""The benchmark of the planner: the epsilon of plans for random studies over the least, by an optimiser of its own."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.planner import cases
from bench.targets import LimitTarget

VERNIER = os.path.join(ROOT, "build", "bench", "bin", "vernier")
CACHE = os.environ.get("XDG_CACHE_HOME", os.path.join(os.path.expanduser("~"), ".cache"))
DEPS = os.environ.get("VERNIER_DEPS", os.path.join(CACHE, "vernier"))
PYTHON = os.path.join(DEPS, "bench-planner-venv", "bin", "python")
EACH = 34  # studies of a kind: 238 in all
MOST = 1.01


def planner(quick):
    numbers = range(3 if quick else EACH)
    names = {kind: tuple(cases.name(kind, number) for number in numbers) for kind in cases.KINDS}
    program = [PYTHON, "-m", "bench.planner.vernier", VERNIER]
    return Task(
        name="planner",
        cases=tuple(Case(name, "of the least", less_is_better=True) for kind in cases.KINDS for name in names[kind]),
        contenders=(Contender("vernier", program, "the plan's epsilon over the least", needs=PYTHON),),
        targets=tuple(LimitTarget(f"{kind}: at most so much of the least", MOST, names[kind]) for kind in cases.KINDS),
        rounds=1,
    )


if __name__ == "__main__":
    sys.exit(main(planner))
