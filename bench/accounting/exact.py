"""The exact epsilons where they are known, to 40 digits, by mpmath: formulas that share nothing with Vernier's transforms.

Gaussians compose to one Gaussian (Theorem 8 of Balle and Wang 2018). A loss that takes countably many values has a delta
that is linear in x = e^epsilon between two of them, so epsilon is solved for, not searched:

    delta(x) = sum over the losses l > ln x of p(l) - x q(l),    q(l) = p(l) e^-l

k releases of a two-point loss have a binomial number of positive ones. The sum of k discrete Gaussians of scale s is a
discrete Gaussian of scale s sqrt(k), but for about 3 k e^(-pi^2 s^2 / 2) in each chance: by Poisson's summation formula both
characteristic functions are e^(-k s^2 t^2 / 2) on abs(t) <= pi, but for so much. At s = 20 that is below 1e-850.
"""

import mpmath as mp

from bench.accounting.cases import parse
from bench.worker import NotMeasured, serve_calls

mp.mp.dps = 65  # the subtractions lose a few digits; chances are right relatively, however small
FAR = 30  # standard deviations: what lies beyond is below 1e-195


def upper_tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian_delta(mu, epsilon):
    return upper_tail(epsilon / mu - mu / 2) - mp.exp(epsilon) * upper_tail(epsilon / mu + mu / 2)


def gaussians(events, delta):
    mu = mp.sqrt(sum(event.times / mp.mpf(event.scale) ** 2 for event in events))
    low, high = mp.mpf(0), mp.mpf(1)
    while gaussian_delta(mu, high) > delta:
        high *= 2
    while high - low > high * mp.mpf(10) ** -50:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_delta(mu, middle) <= delta else (middle, high)
    return high


def epsilon_of_losses(losses, delta):
    """`losses` gives (loss, chance) from the greatest loss on. The chances need not add up to 1 at the far end."""
    above, weighted = mp.mpf(0), mp.mpf(0)
    for loss, chance in losses:
        x = mp.exp(loss)
        if above - x * weighted >= delta:
            return mp.log((above - delta) / weighted)
        above, weighted = above + chance, weighted + chance / x
    raise NotMeasured("this delta is above that of epsilon 0")


def two_point(epsilon, times):
    """(loss, chance) of a sum of losses that are epsilon, with odds e^epsilon to 1, or -epsilon."""
    odds = mp.exp(-epsilon)
    chance = (1 + odds) ** -times
    for negative in range(times + 1):
        yield epsilon * (times - 2 * negative), chance
        chance *= odds * (times - negative) / (negative + 1)


def discrete_gaussian(scale, times):
    """(loss, chance) of the sum: the noise is x with a chance in proportion to e^(-x^2 / (2 variance))."""
    variance = times * scale**2
    far = int(FAR * mp.sqrt(variance))
    step = mp.exp(-1 / variance)
    total = mp.jtheta(3, 0, mp.exp(-1 / (2 * variance)))
    chance, ratio = mp.exp(-mp.mpf(far) ** 2 / (2 * variance)) / total, mp.exp((2 * far - 1) / (2 * variance))
    for x in range(far, -far - 1, -1):
        yield (times + 2 * x) / (2 * scale**2), chance
        chance, ratio = chance * ratio, ratio * step


def laplace(scale, delta):
    """One release: delta = 1 - e^((epsilon - 1/scale) / 2)."""
    return 1 / scale + 2 * mp.log1p(-delta)


def epsilon(question):
    delta = mp.mpf(question.delta)
    if all(event.law == "gaussian" and not event.is_sampled for event in question.events):
        return gaussians(question.events, delta)
    (event,) = question.events
    scale = mp.mpf(event.scale)
    if event.law == "laplace":
        return laplace(scale, delta)
    if event.law == "discrete-gaussian":
        return epsilon_of_losses(discrete_gaussian(scale, event.times), delta)
    return epsilon_of_losses(two_point(scale if event.law == "pure" else 1 / scale, event.times), delta)


def is_known(question):
    if any(event.is_sampled for event in question.events) or question.asked != "epsilon":
        return False
    if all(event.law == "gaussian" for event in question.events):
        return True
    first, *others = question.events
    has_atoms = first.law in ("geometric", "discrete-gaussian", "pure")
    return not others and (has_atoms or (first.law == "laplace" and first.times == 1))


def prepare(case):
    question = parse(case)
    if not is_known(question):
        raise NotMeasured("the exact value is not known")
    return [lambda: mp.nstr(epsilon(question), 40)]


if __name__ == "__main__":
    serve_calls(prepare)
