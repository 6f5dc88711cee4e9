"""The benchmark of engines: what a release costs where the data lies, beside the engine's own GROUP BY."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.engines import cases
from bench.engines.cases import ENGINES, UNITS, Question
from bench.harness import Case, Task
from bench.main import main
from bench.targets import GrowthTarget, LimitTarget, TimesTarget

PROGRAM = os.path.join(ROOT, "build", "bench", "bin", "vernier")
MOST_CPU = {"row": {engine: 2.0 for engine in ENGINES}, "person": {"postgresql": 4.0, "trino": 4.0, "spark": 2.0}}
MOST_CLOCK = 1.3  # where every row is a unit
MOST_SENT = 15.0  # bytes a row, between machines of Spark
MOST_MEMORY = 1000.0  # MB of a query of Trino
MOST_SKEWED = 1.5  # times the even table


def engines(quick):
    rows = cases.QUICK_ROWS if quick else cases.ROWS
    targets, asked = [], []

    def target(kind, name, goal, questions, **more):
        asked.extend(questions)
        targets.append(kind(name, goal, cases=tuple(one.name for one in questions), **more))

    for engine in ENGINES:
        for unit in UNITS:
            target(TimesTarget, f"{engine}, unit {unit}: CPU at most that of its own statement, times", MOST_CPU[unit][engine],
                   [Question(engine, unit, rows)], contender="plain")
        target(TimesTarget, f"{engine}, unit row: at most the time of its own statement, times", MOST_CLOCK,
               [Question(engine, "row", rows, measure="clock")], contender="plain")
    target(LimitTarget, "spark sends between machines at most, bytes a row", MOST_SENT, [Question("spark", "person", rows, measure="sent")])
    target(LimitTarget, f"trino in {cases.PASSES} passes has memory for a query of at most, MB", MOST_MEMORY,
           [Question("trino", "person", rows, measure="peak", passes=cases.PASSES)])
    for engine in ENGINES:
        even, skewed = Question(engine, "person", rows), Question(engine, "person", rows, "skewed")
        asked.append(skewed)
        targets.append(GrowthTarget(f"{engine}: one person with half of all rows takes at most, times", MOST_SKEWED, 0.0, {skewed.name: even.name}))
    return Task(
        name="engines",
        cases=tuple(Case(one.name, cases.UNITS_OF[one.measure], less_is_better=True, line=one.line) for one in asked),
        contenders=(contender("vernier", "a release by the portable statements"), contender("plain", "the engine's own GROUP BY")),
        targets=tuple(targets),
        rounds=1 if quick else 2,
    )


def contender(manner, told):
    return Contender(manner, [sys.executable, "-m", "bench.engines.contender", manner, PROGRAM], told, needs=PROGRAM)


if __name__ == "__main__":
    sys.exit(main(engines))
