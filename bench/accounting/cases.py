"""The cases of the accounting benchmark: their names, and the lines by which contenders are asked.

A line is `epsilon DELTA: EVENT, EVENT, ...`, where an event is `LAW SCALE TIMES RATE`: noise of that scale at sensitivity 1, so
many times, each on a Poisson sample of that rate (1 is everyone). `pure` is a release of which only its epsilon, SCALE, is
known. Neighbours differ by one unit's presence. A line that begins with `odometer` asks for the total after each event.
"""

import dataclasses

LAWS = ("gaussian", "laplace", "geometric", "discrete-gaussian")
COUNTS = (1, 100, 10_000)
SMALL = ("1e-30", "1e-100")
SHORT = 1_000  # events of an odometer that takes time in proportion to their square


@dataclasses.dataclass(frozen=True)
class Event:
    law: str
    scale: float
    times: int = 1
    rate: float = 1.0

    @property
    def is_sampled(self):
        return self.rate < 1


@dataclasses.dataclass(frozen=True)
class Question:
    asked: str  # "epsilon" or "odometer"
    delta: float
    events: tuple


def line(asked, delta, events):
    return f"{asked} {delta}: " + ", ".join(f"{e.law} {e.scale!r} {e.times} {e.rate!r}" for e in events)


def parse(text):
    """The question that a line asks."""
    head, _, rest = text.partition(": ")
    asked, delta = head.split()
    words = [event.split() for event in rest.split(", ")]
    events = tuple(Event(law, float(scale), int(times), float(rate)) for law, scale, times, rate in words)
    return Question(asked, float(delta), events)


def one(law, times, delta="1e-6"):
    return line("epsilon", delta, [Event(law, 20.0, times)])


def mixed(count):
    """Laplace and Gaussian in turn, all of them different."""
    return [Event("gaussian" if i % 2 else "laplace", 20 + 0.5 * i) for i in range(count)]


def different_sampled():
    # Rounded, so that the decimals are those that one would write.
    return [Event("gaussian", round(0.8 + 0.01 * i, 2), 50, round(0.005 + 0.0001 * i, 4)) for i in range(100)]


def small_events(count):
    """Laplace noise and pure statements in turn, all different, with epsilons from 0.01 to 0.02."""
    half = count // 2
    laplace = [Event("laplace", 50 + 50 * i / half) for i in range(half)]
    pure = [Event("pure", 0.01 + 0.01 * i / half) for i in range(half)]
    return [event for pair in zip(laplace, pure) for event in pair]


REPEATED = {f"{law} x {times:,}": one(law, times) for law in LAWS for times in COUNTS}
SAMPLED = {
    f"sampled gaussian x {times:,}": line("epsilon", "1e-6", [Event("gaussian", 1.0, times, 0.01)])
    for times in (1_000, 10_000, 100_000)
}
MIXED = {"100 mechanisms": line("epsilon", "1e-6", mixed(100))}
MIXED_SAMPLED = {"100 sampled gaussians": line("epsilon", "1e-6", different_sampled())}
MANY = {"2,000 small events": line("epsilon", "1e-6", small_events(2_000))}
DEEP = {
    f"{law} x 10,000 at {delta}": one(law, 10_000, delta)
    for law in ("gaussian", "laplace", "discrete-gaussian")
    for delta in SMALL
}
ODOMETER = {f"odometer of {count:,}": line("odometer", "1e-6", small_events(count)) for count in (1_000, 10_000)}

TOTALS = REPEATED | SAMPLED | MIXED | DEEP | MANY | MIXED_SAMPLED  # the slow ones last
ALL = TOTALS | ODOMETER
