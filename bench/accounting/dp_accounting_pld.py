"""Google's dp-accounting: privacy loss distributions on a grid of 1e-4, once from above and once from below.

From above the losses are discretised by its tight method, "connect the dots", for every law. From below it has none but
"privacy buckets", which rounds every loss down to the grid.
"""

import functools
import math

from dp_accounting.pld import privacy_loss_distribution as pld

from bench.accounting.cases import SHORT, parse
from bench.worker import NotMeasured, serve_calls

GRID = 1e-4
LEAST_DELTA = 1e-14  # a composition moves up to 1e-15 of the mass to an infinite loss; below that every epsilon is infinite


def of_noise(event, from_above):
    """The distribution of one release. The loss of a pure statement takes two values, as that of geometric noise does."""
    options = {
        "value_discretization_interval": GRID,
        "pessimistic_estimate": from_above,
        "use_connect_dots": from_above,
        "sampling_prob": event.rate,
    }
    if event.law == "gaussian":
        return pld.from_gaussian_mechanism(event.scale, **options)
    if event.law == "laplace":
        return pld.from_laplace_mechanism(event.scale, **options)
    if event.law == "discrete-gaussian":
        return pld.from_discrete_gaussian_mechanism(event.scale, **options)
    return pld.from_discrete_laplace_mechanism(event.scale if event.law == "pure" else 1 / event.scale, **options)


def of_event(event, from_above):
    """Gaussians are composed as its own accountant does it: k of them are one of scale / sqrt(k)."""
    if event.law == "gaussian" and not event.is_sampled:
        return of_noise(type(event)("gaussian", event.scale / math.sqrt(event.times)), from_above)
    once = of_noise(event, from_above)
    return once.self_compose(event.times) if event.times > 1 else once


def total(events, from_above):
    return functools.reduce(lambda sum_, one: sum_.compose(one), (of_event(event, from_above) for event in events))


def ends(question):
    return tuple(total(question.events, above).get_epsilon_for_delta(question.delta) for above in (False, True))


def running_total(question):
    """The total after each event, from above; the last of them."""
    sum_ = None
    for event in question.events:
        one = of_event(event, True)
        sum_ = sum_.compose(one) if sum_ else one
        epsilon = sum_.get_epsilon_for_delta(question.delta)
    return None, epsilon


def prepare(case):
    question = parse(case)
    if question.delta < LEAST_DELTA:
        raise NotMeasured("below 1e-15 its epsilon is infinite")
    if question.asked == "odometer" and len(question.events) > SHORT:
        raise NotMeasured("each event costs a convolution with all before it")
    return [lambda: (running_total if question.asked == "odometer" else ends)(question)]


if __name__ == "__main__":
    serve_calls(prepare)
