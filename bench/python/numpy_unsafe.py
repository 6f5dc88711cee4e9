"""numpy: fast, and no protection at all; the ceiling. As in bench/noise."""

import math

import numpy

from bench.python.cases import DRAWS, parse
from bench.worker import NotMeasured, serve_calls


def prepare(line):
    kind, law, numbers = parse(line)
    if kind != "draw":
        raise NotMeasured("it draws, and no more")
    rng, (scale,) = numpy.random.default_rng(), numbers
    if law == "geometric":
        p = -math.expm1(-1 / scale)
        return [lambda: (rng.geometric(p, DRAWS) - rng.geometric(p, DRAWS))[0]]
    draw = rng.laplace if law == "laplace" else rng.normal
    return [lambda: draw(0, scale, DRAWS)[0]]


if __name__ == "__main__":
    serve_calls(prepare)
