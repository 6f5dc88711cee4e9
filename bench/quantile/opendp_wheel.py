"""OpenDP from Python: its private quantile, an exponential mechanism over all values of the grid.

Rank errors are drawn from the values near the quantile alone, as it takes a second to choose among all of them; those
further away have no chance that could be seen.
"""

import functools

import opendp.prelude as dp

from bench.quantile.data import GREATEST
from bench.quantile.peer import serve


def measurement(fraction, scale, candidates):
    fraction += 1e-9  # it is cut off behind four decimals, which 0.4991 would not survive
    domain = dp.vector_domain(dp.atom_domain(T="i32"))
    return dp.m.make_private_quantile(
        domain, dp.symmetric_distance(), dp.max_divergence(), candidates, alpha=fraction, scale=scale
    )


@functools.cache
def made(fraction, first, last):
    candidates = list(range(first, last + 1))
    scale = measurement(fraction, 1.0, candidates).map(1)  # epsilon falls as the scale grows: at this one it is 1
    return measurement(fraction, scale, candidates)


def quantiles_of(incomes):
    return lambda fraction, near: made(fraction, *(near or (0, GREATEST)))(incomes)


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve(quantiles_of)
