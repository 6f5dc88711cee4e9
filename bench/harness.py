"""What all benchmarks share: rounds over contenders, ratios, targets. bench/README.md has the rules.

A task names its cases, contenders and targets; `run` measures them, `report` gives the object that `--json` prints.
"""

import dataclasses
import math

from bench.contender import Contender, Lost


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
class RatioTarget:
    """At least `goal` times as good as `contender` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    contender: str
    cases: tuple

    def judge(self, figures, ratios, ours):
        return _worst(self, {case: ratios[case].get(self.contender) for case in self.cases}, min)

    def met(self, value):
        return value >= self.goal


@dataclasses.dataclass(frozen=True)
class LimitTarget:
    """Our own figure at most `goal` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    cases: tuple

    def judge(self, figures, ratios, ours):
        return _worst(self, {case: figures.get((ours, case)) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal


@dataclasses.dataclass(frozen=True)
class Task:
    name: str
    cases: tuple
    contenders: tuple  # ours first
    targets: tuple
    rounds: int
    questions: tuple = ()  # whose answers are compared with exact ones (bench/errors.py)
    reference: Contender | None = None  # gives these


def run(task, say):
    """The best figure of each contender on each case, as {(contender, case): value}.

    Every round asks every case of every contender in turn, so that what slows the machine slows all of them.
    """
    figures = {}
    running = [contender for contender in task.contenders if _started(contender, say)]
    try:
        for number in range(1, task.rounds + 1):
            say(f"round {number} of {task.rounds}")
            for case in task.cases:
                running = [contender for contender in running if _asked(contender, case, figures, say)]
    finally:
        for contender in task.contenders:
            contender.stop()
    return figures


def report(task, figures):
    ours = task.contenders[0].name
    ratios = {case.name: _ratios(task, case, ours, figures) for case in task.cases}
    targets = [target.judge(figures, ratios, ours) for target in task.targets]
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


def _asked(contender, case, figures, say):
    """Whether the contender can be asked again; keeps the better of its old and new figure."""
    try:
        value = contender.ask(case.line or case.name)
    except Lost as reason:
        say(f"{contender.name} is left out from {case.name} on: {reason}")
        return False
    if value is not None:
        key = contender.name, case.name
        figures[key] = case.better(figures.get(key, value), value)
    return True


def _ratios(task, case, ours, figures):
    mine = figures.get((ours, case.name))
    others = {c.name: figures.get((c.name, case.name)) for c in task.contenders[1:]}
    return {name: case.ratio(mine, value) for name, value in others.items() if mine and value}


def _worst(target, values, pick):
    """A target with a case that nobody measured is not met, and has no value."""
    if any(value is None or not math.isfinite(value) for value in values.values()):
        return {"name": target.name, "goal": target.goal, "value": None, "met": False, "case": None}
    case = pick(values, key=values.get)
    return {"name": target.name, "goal": target.goal, "value": values[case], "met": target.met(values[case]), "case": case}
