"""What all benchmarks share: rounds over contenders, and the report. bench/README.md has the rules.

A task names its cases, contenders and targets (bench/targets.py); `run` measures them, `report` gives the object that
`--json` prints.
"""

import contextlib
import dataclasses

from bench.contender import Contender, Lost, Refused
from bench.targets import Measured


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    unit: str
    less_is_better: bool = False
    line: str = ""  # what contenders are asked, where that is not the name

    def better(self, a, b):
        return min(a, b) if self.less_is_better else max(a, b)

    def ratio(self, ours, theirs):
        """Above 1 where ours is better: more per second, or less time."""
        return theirs / ours if self.less_is_better else ours / theirs


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    cases: tuple
    contenders: tuple  # ours first
    targets: tuple
    rounds: int
    questions: tuple = ()  # whose answers are compared with exact ones (bench/errors.py)
    reference: Contender | None = None  # gives these
    has_bounds: bool = False  # whether answers are intervals, which are compared too (bench/bounds.py)
    more: object = None  # more(task, contenders, report) has keys that are added to the report while contenders still run


def run(task, say):
    """The best figure of each contender on each case, as {(contender, case): value}."""
    with started(task, say) as contenders:
        return rounds(task, contenders, say)


@contextlib.contextmanager
def started(task, say):
    """The contenders that can be measured, until the block ends."""
    try:
        yield [contender for contender in task.contenders if _started(contender, say)]
    finally:
        for contender in task.contenders:
            contender.stop()


def rounds(task, contenders, say):
    """The figures. Every round asks every case of every contender in turn, so that what slows the machine slows all of
    them. Who cannot be asked any more is taken off the list."""
    figures, refused = {}, set()
    for number in range(1, task.rounds + 1):
        say(f"round {number} of {task.rounds}")
        for case in task.cases:
            contenders[:] = [one for one in contenders if _asked(one, case, figures, refused, say)]
    return figures


def report(task, figures, bounds=()):
    """`bounds` are the entries of bench/bounds.py."""
    ours = task.contenders[0].name
    ratios = {case.name: _ratios(task, case, ours, figures) for case in task.cases}
    measured = Measured(ours, figures, ratios, {(entry["contender"], entry["case"]): entry for entry in bounds})
    targets = [target.judge(measured) for target in task.targets]
    return {
        "task": task.name,
        "results": [
            {"contender": contender.name, "case": case.name, "value": figures[contender.name, case.name], "unit": case.unit}
            for case in task.cases
            for contender in task.contenders
            if (contender.name, case.name) in figures
        ],
        "ratios": ratios,
        "targets": targets,
        "targets_met": all(target["met"] for target in targets),
    }


def _started(contender: Contender, say):
    try:
        contender.start()
        return True
    except Lost as reason:
        say(f"{contender.name} is left out: {reason}")
        return False


def _asked(contender, case, figures, refused, say):
    """Whether the contender can be asked again; keeps the better of its old and new figure. What it refused once is not asked
    again."""
    key = contender.name, case.name
    if key in refused:
        return True
    try:
        value = contender.ask(case.line or case.name)
    except Refused as reason:
        refused.add(key)
        say(f"{contender.name} is left out of {case.name}: {reason}")
        return True
    except Lost as reason:
        say(f"{contender.name} is left out from {case.name} on: {reason}")
        return False
    if value is not None:
        figures[key] = case.better(figures.get(key, value), value)
    return True


def _ratios(task, case, ours, figures):
    mine = figures.get((ours, case.name))
    others = {c.name: figures.get((c.name, case.name)) for c in task.contenders[1:]}
    return {name: case.ratio(mine, value) for name, value in others.items() if mine and value}
