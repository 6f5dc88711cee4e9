"""Google's C++ library through python-dp: its percentile, by a tree of noisy counts.

Asked for reals, since of integers it gave 0 whatever they were (python-dp 1.1.5), and rounded to the grid afterwards.
"""

from pydp.algorithms.laplacian import Percentile

from bench.quantile.data import GREATEST
from bench.quantile.peer import serve


def quantiles_of(incomes):
    reals = incomes.astype(float).tolist()

    def quantile(fraction, _near):
        percentile = Percentile(
            epsilon=1.0, percentile=fraction, lower_bound=0.0, upper_bound=float(GREATEST), dtype="float"
        )
        return round(percentile.quick_result(reals))

    return quantile


if __name__ == "__main__":
    serve(quantiles_of)
