"""The kinds of targets: each says in one number how good the worst of its cases is, and whether that is good enough."""

import dataclasses
import math

from bench.errors import TOLERANCE


@dataclasses.dataclass(frozen=True)
class Measured:
    """All that a target may look at."""

    ours: str  # the name of our contender
    figures: dict  # {(contender, case): figure}
    ratios: dict  # {case: {contender: ratio}}
    bounds: dict  # {(contender, case): entry of bench/bounds.py}

    def figure(self, case):
        return self.figures.get((self.ours, case))

    def entry(self, contender, case):
        """An interval of this contender that holds what is known of the exact value; else None."""
        entry = self.bounds.get((contender, case))
        return entry if entry and entry["verdict"] is None else None


@dataclasses.dataclass(frozen=True)
class RatioTarget:
    """At least `goal` times as good as `contender` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    contender: str
    cases: tuple

    def judge(self, measured):
        return _worst(self, {case: measured.ratios[case].get(self.contender) for case in self.cases}, min)

    def met(self, value):
        return value >= self.goal


@dataclasses.dataclass(frozen=True)
class TimesTarget:
    """Our own figure at most `goal` times that of `contender` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    contender: str
    cases: tuple

    def judge(self, measured):
        return _worst(self, {case: self._times(measured, case) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal

    def _times(self, measured, case):
        figure, theirs = measured.figure(case), measured.figures.get((self.contender, case))
        return figure / theirs if figure and theirs else None


@dataclasses.dataclass(frozen=True)
class BeyondTarget:
    """Our own figure at most `goal` above that of `contender` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    contender: str
    cases: tuple

    def judge(self, measured):
        return _worst(self, {case: self._beyond(measured, case) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal

    def _beyond(self, measured, case):
        figure, theirs = measured.figure(case), measured.figures.get((self.contender, case))
        return figure - theirs if figure and theirs else None


@dataclasses.dataclass(frozen=True)
class LimitTarget:
    """Our own figure at most `goal` on every one of the cases; the worst of them is the value."""

    name: str
    goal: float
    cases: tuple

    def judge(self, measured):
        return _worst(self, {case: measured.figure(case) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal


@dataclasses.dataclass(frozen=True)
class GrowthTarget:
    """Our own figure, less `slack`, at most `goal` times that of a simpler case; `pairs` maps each case to its simpler one."""

    name: str
    goal: float
    slack: float
    pairs: dict

    def judge(self, measured):
        return _worst(self, {case: self._times(measured, case, simpler) for case, simpler in self.pairs.items()}, max)

    def met(self, value):
        return value <= self.goal

    def _times(self, measured, case, simpler):
        figure, base = measured.figure(case), measured.figure(simpler)
        return max(0.0, figure - self.slack) / base if figure and base else None


@dataclasses.dataclass(frozen=True)
class SoundTarget:
    """Our interval holds the exact value on every one of the cases. The value is how far the worst end is on the wrong side,
    relative to the exact value: below 0 where all are on the right one."""

    name: str
    cases: tuple
    goal: float = 0.0

    def judge(self, measured):
        return _worst(self, {case: self._overclaim(measured, case) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal

    def _overclaim(self, measured, case):
        entry = measured.bounds.get((measured.ours, case))
        return entry["overclaim"] if entry else None


@dataclasses.dataclass(frozen=True)
class GapTarget:
    """Our own interval no wider than `goal`, relative to its upper end, on every one of the cases."""

    name: str
    goal: float
    cases: tuple

    def judge(self, measured):
        return _worst(self, {case: self._width(measured, case) for case in self.cases}, max)

    def met(self, value):
        return value <= self.goal

    def _width(self, measured, case):
        entry = measured.entry(measured.ours, case)
        return entry["gap"] / entry["upper"] if entry and entry["gap"] is not None and entry["upper"] > 0 else None


@dataclasses.dataclass(frozen=True)
class TighterTarget:
    """Our own interval narrower than that of `contender`, on every one of the cases: its width is below `goal` of theirs.

    An interval of theirs that does not hold the exact value, or whose ends are the wrong way round, is none: it counts as wide.
    Ends that agree but for a rounding count as that rounding apart.
    """

    name: str
    contender: str
    cases: tuple
    goal: float = 1.0

    def judge(self, measured):
        return _worst(self, {case: self._share(measured, case) for case in self.cases}, max)

    def met(self, value):
        return value < self.goal

    def _share(self, measured, case):
        mine, theirs = measured.entry(measured.ours, case), measured.bounds.get((self.contender, case))
        if not mine or not theirs or mine["gap"] is None or theirs["lower"] is None:
            return None
        if theirs["verdict"] is not None:
            return 0.0
        return mine["gap"] / max(theirs["gap"], TOLERANCE * theirs["upper"])


def _worst(target, values, pick):
    """A target with a case that nobody measured is not met, and has no value."""
    if any(value is None or not math.isfinite(value) for value in values.values()):
        return {"name": target.name, "goal": target.goal, "value": None, "met": False, "case": None}
    case = pick(values, key=values.get)
    return {"name": target.name, "goal": target.goal, "value": values[case], "met": target.met(values[case]), "case": case}
