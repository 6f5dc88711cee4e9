"""numpy: fast, and no protection at all; the ceiling. Its generator is not cryptographic and its doubles have holes.

The discrete Gaussian is drawn as a continuous one and not even rounded: less work than the law asks, in numpy's favour.
"""

import math

import numpy

from bench.noise.cases import law_and_scale
from bench.worker import serve


def prepare(case, size):
    law, scale = law_and_scale(case)
    rng = numpy.random.default_rng()
    if law == "geometric":
        p = -math.expm1(-1 / scale)
        return lambda: rng.geometric(p, size) - rng.geometric(p, size)
    if law == "laplace":
        return lambda: rng.laplace(0, scale, size)
    return lambda: rng.normal(0, scale, size)


if __name__ == "__main__":
    serve(prepare)
