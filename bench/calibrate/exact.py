"""The exact values, to 40 digits and more, by mpmath: textbook formulas with digits to spare, unlike Vernier's own.

Sigma comes from Theorem 8 of Balle and Wang (2018) as it stands, a tail less e^epsilon times a tail. Sums over the integers are
taken term by term at small scales, and by the Euler-Maclaurin formula at the end of the range at large ones.
"""

import mpmath as mp

from bench.calibrate.cases import parse
from bench.worker import NotMeasured, serve_calls

mp.mp.dps = 120  # the subtractions of this page lose up to 20 digits in the questions asked
LARGE = 20  # from this scale on the Euler-Maclaurin terms fall below 1e-40 soon


def upper_tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian_delta(sigma, epsilon):
    return upper_tail(epsilon * sigma - 1 / (2 * sigma)) - mp.exp(epsilon) * upper_tail(epsilon * sigma + 1 / (2 * sigma))


def bisected(is_enough, low, high):
    """Where the answer turns to yes, to 50 digits."""
    while high - low > high * mp.mpf(10) ** -50:
        middle = mp.sqrt(low * high) if high > 2 * low else (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def gaussian_sigma(epsilon, delta):
    return bisected(lambda sigma: gaussian_delta(sigma, epsilon) <= delta, mp.mpf("1e-6"), mp.mpf("1e20"))


def gaussian_accuracy(scale, alpha):
    return scale * bisected(lambda z: 2 * upper_tail(z) <= alpha, mp.mpf("1e-20"), mp.mpf(100))


def discrete_gaussian_sum(scale, first):
    """The sum of exp(-x^2 / (2 scale^2)) over x >= first >= 0."""
    return sum_at_end(scale, first) if scale >= LARGE else sum_of_terms(scale, first)


def sum_of_terms(scale, first):
    total, x, smallest = mp.mpf(0), first, mp.mpf(10) ** -mp.mp.dps
    while (term := mp.exp(-mp.mpf(x) ** 2 / (2 * scale**2))) > total * smallest:
        total, x = total + term, x + 1
    return total


def sum_at_end(scale, first):
    """Euler-Maclaurin: the integral, half the first term, and its odd derivatives; here these are Hermite polynomials."""
    z = first / scale
    weight = mp.exp(-z * z / 2)
    total = scale * mp.sqrt(2 * mp.pi) * upper_tail(z) + weight / 2
    for k in range(1, 13):
        derivative = -weight * monic_hermite(2 * k - 1, z) / scale ** (2 * k - 1)
        total -= mp.bernoulli(2 * k) / mp.factorial(2 * k) * derivative
    return total


def monic_hermite(n, z):
    """He_n of the probabilists: the n-th derivative of exp(-z^2/2) is (-1)^n He_n(z) exp(-z^2/2)."""
    before, now = mp.mpf(0), mp.mpf(1)
    for k in range(n):
        before, now = now, z * now - k * before
    return now


def discrete_gaussian_accuracy(scale, alpha):
    """The least whole a with Pr[abs(X) >= a] <= alpha."""
    total = 2 * discrete_gaussian_sum(scale, 0) - 1
    a = max(1, int(gaussian_accuracy(scale, alpha)))

    def is_enough(whole):
        return 2 * discrete_gaussian_sum(scale, whole) <= alpha * total

    while a > 1 and is_enough(a - 1):
        a -= 1
    while not is_enough(a):
        a += 1
    return a


ANSWERS = {
    "sigma gaussian": gaussian_sigma,
    "accuracy gaussian": gaussian_accuracy,
    "accuracy discrete-gaussian": discrete_gaussian_accuracy,
}


def prepare(case):
    asked, points = parse(case)
    if asked not in ANSWERS:
        raise NotMeasured(f"there is no exact {asked}")
    return [lambda p=point: mp.nstr(ANSWERS[asked](*map(mp.mpf, p)), 40) for point in points]


if __name__ == "__main__":
    serve_calls(prepare)
