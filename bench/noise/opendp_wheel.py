"""OpenDP from Python, through its wheel: the same measurements as opendp/, over lists of zeros."""

import math

import opendp.prelude as dp

from bench.noise.cases import law_and_scale
from bench.worker import serve

MAKERS = {
    "geometric": (dp.m.make_laplace, dp.l1_distance, int),
    "discrete-gaussian": (dp.m.make_gaussian, dp.l2_distance, int),
    "laplace": (dp.m.make_laplace, dp.l1_distance, float),
    "gaussian": (dp.m.make_gaussian, dp.l2_distance, float),
}


def prepare(case, size):
    law, scale = law_and_scale(case)
    make, distance, kind = MAKERS[law]
    real = kind is float
    atom = dp.atom_domain(T=kind, nan=False) if real else dp.atom_domain(T=kind)
    grid = math.floor(math.log2(scale)) - 20 if real else None  # as in opendp/: 2^-20 of the scale
    measurement = make(dp.vector_domain(atom, size=size), distance(T=kind), scale=scale, k=grid)
    zeros = [kind(0)] * size
    return lambda: measurement(zeros)


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve(prepare)
