"""The least epsilon that meets targets, by formulas of its own: nothing here is shared with the planner that it judges.

Noise of either law is calibrated to an accuracy by its own tail; losses are laid on a grid, rounded to the nearest point, and
convolved by Fourier transforms. Good to about 1e-4, which is what a comparison needs; it proves nothing.
"""

import functools
import itertools
import math
from statistics import NormalDist

import numpy

POINTS = 1 << 15
ALPHA = 0.05


def geometric_tail(scale, steps):
    q = math.exp(-1 / scale)
    return 2 * q ** (steps + 1) / (1 + q)


def gaussian_tail(scale, steps):
    if scale > 3000:
        return 2 * (1 - NormalDist().cdf((steps + 0.5) / scale))
    reach = math.ceil(14 * scale) + 20
    x = numpy.arange(-reach, reach + 1, dtype=float)
    mass = numpy.exp(-x * x / (2 * scale * scale))
    return mass[numpy.abs(x) > steps].sum() / mass.sum()


@functools.cache
def scale_for(law, steps):
    """The greatest scale whose noise stays within so many steps but for a chance of ALPHA."""
    tail = geometric_tail if law == "geometric" else gaussian_tail
    low, high = 1e-3, 2.0 * (steps + 2)
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, steps) <= ALPHA else (low, middle)
    return low


def losses(law, scale, shift):
    """The losses of one number that moves by `shift`, and their chances under the first of two neighbours."""
    reach = math.ceil((45 if law == "geometric" else 12) * scale) + shift
    stride = max(1, reach // 20_000)
    x = numpy.arange(-reach, reach + shift + 1, stride, dtype=float)
    if law == "geometric":
        log_mass = -numpy.abs(x) / scale
        loss = (numpy.abs(x - shift) - numpy.abs(x)) / scale
    else:
        log_mass = -x * x / (2 * scale * scale)
        loss = (shift * shift - 2 * shift * x) / (2 * scale * scale)
    mass = numpy.exp(log_mass)
    return loss, mass / mass.sum()


def epsilon_of(items, laws, delta):
    """Of items (steps, shift, coordinates) with noise of these laws."""
    if delta == 0:
        return sum(c * d / scale_for("geometric", s) for s, d, c in items)
    all_losses = [losses(law, scale_for(law, s), d) for (s, d, c), law in zip(items, laws)]
    mean = sum(c * (loss * mass).sum() for (_, _, c), (loss, mass) in zip(items, all_losses))
    spread = math.sqrt(sum(c * (loss * loss * mass).sum() for (_, _, c), (loss, mass) in zip(items, all_losses)))
    greatest = sum(c * loss.max() for (_, _, c), (loss, _) in zip(items, all_losses))
    width = min(mean + 9 * spread + 0.1, greatest * 1.01 + 1e-6)
    step = 2 * width / POINTS
    transform = numpy.ones(POINTS // 2 + 1, dtype=complex)
    for (_, _, c), (loss, mass) in zip(items, all_losses):
        place = numpy.clip(loss / step, -POINTS // 2, POINTS // 2 - 1)
        below = numpy.floor(place).astype(int)
        above = place - below
        grid = numpy.zeros(POINTS)
        numpy.add.at(grid, below % POINTS, mass * (1 - above))
        numpy.add.at(grid, (below + 1) % POINTS, mass * above)
        transform *= numpy.fft.rfft(grid) ** c
    law = numpy.maximum(numpy.roll(numpy.fft.irfft(transform, POINTS), POINTS // 2), 0)
    loss = (numpy.arange(POINTS) - POINTS // 2) * step
    first = numpy.cumsum(law[::-1])[::-1]
    second = numpy.cumsum((law * numpy.exp(-loss))[::-1])[::-1]
    excess = first - numpy.exp(loss) * second
    return max(0.0, loss[numpy.argmax(excess <= delta)])


def box_tail(numbers, other, reach):
    """P[abs(U + other V) R > reach]: U and V uniform on [-1, 1], R of the gamma law with shape numbers + 1."""
    size = numpy.linspace(1e-3, 150, 150_000)
    log_mass = numbers * numpy.log(size) - size
    mass = numpy.exp(log_mass - log_mass.max())
    at = reach / size
    if other == 0:
        beyond = numpy.maximum(1 - at, 0)
    else:  # of two that are equally wide
        beyond = numpy.maximum(2 - at, 0) ** 2 / 4
    return (mass * beyond).sum() / mass.sum()


@functools.cache
def box_reach(numbers, other):
    low, high = 0.0, 200.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if box_tail(numbers, other, middle) <= ALPHA else (middle, high)
    return high


def least_in_box(box, delta):
    """One Laplace noise of the greatest scale that meets all targets, on a grid of a thousandth."""
    numbers = box["numbers"]
    scale = min([box["rows"] / box_reach(numbers, 0)] + [one / box_reach(numbers, 1) for one in box["values"]])
    return 1 / scale if delta == 0 else closed_laplace(scale, delta)


def closed_laplace(scale, delta):
    """The epsilon of one Laplace noise that moves by 1: delta = 1 - exp((epsilon - 1 / scale) / 2)."""
    return max(0.0, 1 / scale + 2 * math.log1p(-delta))


def least(items, delta):
    """The least over both laws for every item."""
    if delta == 0:
        return epsilon_of(items, (), 0)
    kinds = ("geometric", "gaussian")
    return min(epsilon_of(items, laws, delta) for laws in itertools.product(kinds, repeat=len(items)))
