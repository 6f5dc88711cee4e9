"""OpenDP from Python: its private quantile, an exponential mechanism over all values of the grid."""

import opendp.prelude as dp

from bench.quantile.data import GREATEST
from bench.quantile.peer import serve

CANDIDATES = list(range(GREATEST + 1))


def measurement(fraction, scale):
    domain = dp.vector_domain(dp.atom_domain(T="i32"))
    return dp.m.make_private_quantile(
        domain, dp.symmetric_distance(), dp.max_divergence(), CANDIDATES, alpha=fraction, scale=scale
    )


def prepare(values, fraction):
    scale = measurement(fraction, 1.0).map(1)  # epsilon falls as the scale grows: at this one it is 1
    made = measurement(fraction, scale)
    return lambda: made(values)


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve(prepare)
