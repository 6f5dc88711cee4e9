"""Microsoft's prv-accountant: privacy random variables, with an error of 0.01 in epsilon; it gives both ends."""

import prv_accountant as prv

from bench.accounting.cases import parse
from bench.worker import NotMeasured, serve_calls

EPSILON_ERROR = 0.01
LEAST_DELTA = 1e-10  # below, it raises "Floating point errors will dominate for such small values of delta"


def variable(event):
    """The loss of a pure statement takes two values, and that of geometric noise at sensitivity 1 the same two."""
    if event.is_sampled:
        return prv.PoissonSubsampledGaussianMechanism(sampling_probability=event.rate, noise_multiplier=event.scale)
    if event.law == "gaussian":
        return prv.GaussianMechanism(noise_multiplier=event.scale)
    if event.law == "laplace":
        return prv.LaplaceMechanism(mu=1 / event.scale)
    return prv.PureDPMechanism(event.scale if event.law == "pure" else 1 / event.scale)


def ends(question):
    times = [event.times for event in question.events]
    accountant = prv.PRVAccountant(
        prvs=[variable(event) for event in question.events],
        max_self_compositions=times,
        eps_error=EPSILON_ERROR,
        delta_error=question.delta / 1000,  # as its documentation advises
    )
    lower, _, upper = accountant.compute_epsilon(delta=question.delta, num_self_compositions=times)
    return lower, upper


def prepare(case):
    question = parse(case)
    if question.asked != "epsilon":
        raise NotMeasured("it has no odometer")
    if question.delta < LEAST_DELTA:
        raise NotMeasured("it refuses so small a delta")
    if any(event.law == "discrete-gaussian" for event in question.events):
        raise NotMeasured("it has no discrete Gaussian")
    return [lambda: ends(question)]


if __name__ == "__main__":
    serve_calls(prepare)
