"""The exact figures behind the reference tables, in decimal arithmetic of 120 digits and by the plainest way there is: sums over
the integers, the series and the continued fraction of the normal tail, halving. It shares nothing with the library: no code, no
formula that is rearranged for speed, no library of special functions.

Inputs are doubles, taken as the decimals they exactly are. Answers are good to more than 25 digits.
"""
from decimal import Decimal as D, getcontext
from itertools import product
from math import comb

getcontext().prec = 120
getcontext().Emin = -10**6
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384")
HALVINGS = 110  # more than 33 digits, from a bracket of one power of two
NEGLIGIBLE = D("1e-60")


def least(fits, low, high):
    """The least x in [low, high] with fits(x), for a condition that holds from some x on."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def bracketed(fits, start):
    """A bracket [x, 2x] around the least x with fits(x)."""
    high = D(start)
    while not fits(high):
        high *= 2
    while fits(high / 2):
        high /= 2
    return high / 2, high


def normal_density(x):
    return (-x * x / 2).exp() / (2 * PI).sqrt()


def normal_tail(x):
    """Pr[N(0, 1) > x]."""
    if x < 0:
        return 1 - normal_tail(-x)
    return density_times_mills(x) if x > 6 else D("0.5") - central(x)


def central(x):
    """Pr[0 < N(0, 1) <= x] = phi(x) (x + x^3/3 + x^5/(3 5) + ...): all terms have one sign."""
    term, total, n = x, x, 1
    while term > total * D("1e-118"):
        n += 2
        term *= x * x / n
        total += term
    return normal_density(x) * total


def density_times_mills(x):
    """phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))), from so deep that more depth changes nothing."""
    depth, before = 200, D(0)
    while True:
        fraction = x
        for n in range(depth, 0, -1):
            fraction = x + n / fraction
        if abs(fraction - before) < fraction * D("1e-70"):
            return normal_density(x) / fraction
        depth, before = 2 * depth, fraction


def normal_margin(alpha):
    """The least z with Pr[|N(0, 1)| > z] <= alpha."""
    fits = lambda z: 2 * normal_tail(z) <= alpha
    return least(fits, *bracketed(fits, 1))


class DiscreteGaussian:
    """Weights exp(-x^2 / (2 sigma^2)) over the integers, by x -> x + 1 from ratios, without an exponential each."""

    def __init__(self, sigma):
        self.step = -1 / (2 * sigma * sigma)
        self.total = 1 + 2 * self.above(0)

    def above(self, x):
        """The sum of the weights of all integers above x >= 0."""
        weight = (self.step * (x + 1) ** 2).exp()
        ratio, falls = (self.step * (2 * x + 3)).exp(), (2 * self.step).exp()
        total = D(0)
        while weight > (total + weight) * NEGLIGIBLE * (1 - ratio):
            total += weight
            weight *= ratio
            ratio *= falls
        return total + weight / (1 - ratio)

    def from_(self, x):
        """The sum of the weights of all integers >= x."""
        return self.above(x - 1) if x > 0 else self.total - self.above(-x)

    def outside(self, margin):
        """Pr[|X| > margin]."""
        return 2 * self.above(margin) / self.total


def discrete_gaussian_delta(sigma, shift, epsilon):
    """The sum over x of (p(x) - e^epsilon p(x + shift))+: of all x >= (epsilon sigma^2 - shift^2/2)/shift."""
    law = DiscreteGaussian(sigma)
    first = int((epsilon * sigma * sigma / shift - D(shift) / 2).to_integral_value("ROUND_CEILING"))
    return (law.from_(first) - epsilon.exp() * law.from_(first + shift)) / law.total


def gaussian_delta(sigma, shift, epsilon):
    far, half = epsilon * sigma / shift, shift / (2 * sigma)
    return normal_tail(far - half) - epsilon.exp() * normal_tail(far + half)


def least_epsilon(delta_at, delta):
    fits = lambda epsilon: delta_at(epsilon) <= delta
    return D(0) if fits(D(0)) else least(fits, *bracketed(fits, 1))


def geometric_outside(scale, margin):
    """Pr[|X| > margin] where Pr[X = x] is proportional to e^(-|x|/scale)."""
    q = (-1 / scale).exp()
    return 2 * q ** (margin + 1) / (1 + q)


def least_integer(fits):
    high = 1
    while not fits(high):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def margin(mechanism, scale, alpha):
    if mechanism == "laplace":
        return scale * -alpha.ln()
    if mechanism == "gaussian":
        return scale * normal_margin(alpha)
    if mechanism == "discrete-laplace":
        return least_integer(lambda a: geometric_outside(scale, a) <= alpha)
    law = DiscreteGaussian(scale)
    return least_integer(lambda a: law.outside(a) <= alpha)


def scale_of_margin(mechanism, target, alpha):
    if mechanism == "gaussian":
        return target / normal_margin(alpha)
    fails = lambda sigma: DiscreteGaussian(sigma).outside(int(target)) > alpha
    return least(fails, *bracketed(fails, 1))


def epsilon_of_margin(mechanism, target, alpha, sensitivity):
    if mechanism == "laplace":
        return sensitivity * -alpha.ln() / target
    fits = lambda epsilon: geometric_outside(sensitivity / epsilon, int(target)) <= alpha
    return least(fits, *bracketed(fits, 1))


def gaussian_sigma(calibration, epsilon, delta, sensitivity):
    if calibration == "classical":
        return sensitivity / epsilon * (2 * (D("1.25") / delta).ln()).sqrt()
    if calibration == "dwork-roth-tight":
        return sensitivity / epsilon * (2 * ((2 / PI).sqrt() * (D(4) / 9).exp() / delta).ln()).sqrt()
    fits = lambda sigma: gaussian_delta(sigma, sensitivity, epsilon) <= delta
    return least(fits, *bracketed(fits, 1))


def delta_of_scale(mechanism, scale, sensitivity, epsilon):
    if mechanism == "gaussian":
        return gaussian_delta(scale, sensitivity, epsilon)
    return discrete_gaussian_delta(scale, int(sensitivity), epsilon)


def epsilon_of_scale(mechanism, scale, sensitivity, delta):
    return least_epsilon(lambda epsilon: delta_of_scale(mechanism, scale, sensitivity, epsilon), delta)


def optimal(epsilons, epsilon):
    """Murtagh and Vadhan 2016, by all subsets."""
    total = D(0)
    for signs in product((1, -1), repeat=len(epsilons)):
        loss = sum(sign * each for sign, each in zip(signs, epsilons))
        if loss > epsilon:
            weight = sum(each for sign, each in zip(signs, epsilons) if sign > 0).exp()
            total += weight * (1 - (epsilon - loss).exp())
    for each in epsilons:
        total /= 1 + each.exp()
    return total


def homogeneous(each, times, epsilon):
    """Kairouz, Oh and Viswanath 2015."""
    total = D(0)
    for minus in range(times + 1):
        loss = (times - 2 * minus) * each
        if loss > epsilon:
            total += comb(times, minus) * ((times - minus) * each).exp() * (1 - (epsilon - loss).exp())
    return total / (1 + each.exp()) ** times


def composition(kind, parameters, given):
    if kind == "optimal":
        return optimal([D(float(part)) for part in parameters.split()], given)
    if kind == "gaussian-epsilon":
        precision = sum(1 / D(float(part)) ** 2 for part in parameters.split())
        return least_epsilon(lambda epsilon: gaussian_delta(1 / precision.sqrt(), D(1), epsilon), given)
    each, times = parameters.split(" x ")
    # Discrete Laplace noise of sensitivity 1 has two losses, +1/scale and -1/scale: it is randomised response.
    one = 1 / D(float(each)) if kind == "discrete-laplace" else D(float(each))
    return homogeneous(one, int(times), given)
