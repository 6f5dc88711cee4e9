"""OpenDP from Python, through its wheel: zero-concentrated privacy, and for pure releases the sum of epsilons where that is
less; an upper end alone. Its odometer releases noise, as it has no other way to count a release.
"""

import opendp.prelude as dp

from bench.accounting.cases import SHORT, parse
from bench.worker import NotMeasured, serve_calls

PURE = ("laplace", "geometric", "pure")
REAL = (dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float))
WHOLE = (dp.atom_domain(T=int), dp.absolute_distance(T=int))
ZCDP = dp.zero_concentrated_divergence()


def measurement(event, space):
    """A pure statement stands as Laplace noise of the same epsilon: to zCDP and to the sum they are one."""
    scale = 1 / event.scale if event.law == "pure" else event.scale
    return (dp.m.make_laplace if event.law in PURE else dp.m.make_gaussian)(*space, scale=scale)


def as_zcdp(event, made):
    return dp.c.make_pureDP_to_zCDP(made) if event.law in PURE else made


def epsilon_by_zcdp(measurements, unit, delta):
    composed = dp.c.make_zCDP_to_approxDP(dp.c.make_composition(measurements))
    return dp.c.make_fix_delta(composed, delta=delta).map(unit)[0]


def repeated(events, measurements):
    return [made for event, made in zip(events, measurements) for _ in range(event.times)]


def ends(question):
    events = question.events
    whole = any(event.law in ("geometric", "discrete-gaussian") for event in events)
    space, unit = (WHOLE, 1) if whole else (REAL, 1.0)
    made = [measurement(event, space) for event in events]
    epsilon = epsilon_by_zcdp(repeated(events, map(as_zcdp, events, made)), unit, question.delta)
    if any(event.law not in PURE for event in events):
        return None, epsilon
    return None, min(epsilon, dp.c.make_composition(repeated(events, made)).map(unit))


def running_total(question):
    """The total after each event; the last of them."""
    odometer = dp.c.make_fully_adaptive_composition(*REAL, ZCDP)
    queryable = odometer(0.0)
    for event in question.events:
        queryable(as_zcdp(event, measurement(event, REAL)))
        rho = queryable.privacy_loss(1.0)
    return None, to_epsilon(rho, question.delta)


def to_epsilon(rho, delta):
    """Its own conversion of a rho: Gaussian noise that has it."""
    return epsilon_by_zcdp([dp.m.make_gaussian(*REAL, scale=(2 * rho) ** -0.5)], 1.0, delta)


def prepare(case):
    question = parse(case)
    if any(event.is_sampled for event in question.events):
        raise NotMeasured("it has no Poisson sampling of Gaussian noise")
    if question.asked == "odometer" and len(question.events) > SHORT:
        raise NotMeasured("each total costs a sum over all events")
    return [lambda: (running_total if question.asked == "odometer" else ends)(question)]


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve_calls(prepare)
