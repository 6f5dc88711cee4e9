"""autodp: Renyi differential privacy, converted at the best order; an upper end alone.

Not its characteristic functions: with the pinned SciPy `ComposeAFA` gives a small negative epsilon, whatever the mechanisms.
"""

from autodp import rdp_acct  # noqa: F401, I001  first, as autodp imports itself in a circle
from autodp import mechanism_zoo, transformer_zoo

from bench.accounting.cases import parse
from bench.worker import NotMeasured, serve_calls

MECHANISMS = {
    "gaussian": mechanism_zoo.GaussianMechanism,
    "laplace": mechanism_zoo.LaplaceMechanism,
    "geometric": lambda scale: mechanism_zoo.PureDP_Mechanism(1 / scale),  # it has no geometric noise
    "discrete-gaussian": mechanism_zoo.DiscreteGaussianMechanism,
    "pure": mechanism_zoo.PureDP_Mechanism,
}


def mechanism(event):
    """The tight bound for a Poisson sample has to be asked for; the default holds for every mechanism, and is far looser."""
    whole = MECHANISMS[event.law](event.scale)
    if not event.is_sampled:
        return whole
    sampling = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
    return sampling(whole, event.rate, improved_bound_flag=True)


def ends(question):
    mechanisms = [mechanism(event) for event in question.events]
    composed = transformer_zoo.Composition()(mechanisms, [event.times for event in question.events])
    return None, composed.get_approxDP(question.delta)


def prepare(case):
    question = parse(case)
    if question.asked != "epsilon":
        raise NotMeasured("it has no odometer")
    return [lambda: ends(question)]


if __name__ == "__main__":
    serve_calls(prepare)
