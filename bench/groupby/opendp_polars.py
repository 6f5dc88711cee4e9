"""OpenDP on Polars: the count and the sum of every region for users in at most so many of them; the mean is their quotient.

In 0.16.0 `truncate_num_groups(k)` keeps k - 1 groups, so k is one more than wanted, and the noise that of one more; its choice at
random (keep="sample") raises an error, so the first groups of a user are kept, in the order of their names.
"""

import warnings

import opendp.prelude as dp
import polars as pl

from bench.groupby.cases import DELTA, EPSILON, LOWER, MAX_ROWS, REGIONS, UPPER
from bench.groupby.peer import once

dp.enable_features("contrib", "honest-but-curious")
warnings.simplefilter("ignore", FutureWarning)  # on the default of dp.len


def context(data):
    most = 2 * data.select(pl.len()).collect().item()  # a public bound on the rows
    return dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1, identifier=pl.col("user_id")),
        privacy_loss=dp.loss_of(epsilon=EPSILON, delta=DELTA),
        split_evenly_over=1,
        margins=[
            dp.polars.Margin(by=(), max_length=most, max_groups=1),
            dp.polars.Margin(by=("region",), max_length=most, max_groups=len(REGIONS)),
        ],
    )


def release(file, max_groups):
    income = pl.col("income").fill_nan(0.0).fill_null(0.0)
    query = (
        context(pl.scan_parquet(file).select("user_id", "region", "income"))
        .query()
        .truncate_per_group(MAX_ROWS, by=["region"])
        .truncate_num_groups(max_groups + 1, by=["region"], keep="first")
        .group_by("region")
        .agg(dp.len(), income.dp.sum((LOWER, UPPER)))
        .with_keys(pl.DataFrame({"region": REGIONS}))
    )
    table = query.release().collect()
    return table.select("region", "len", "income", mean=pl.col("income") / pl.col("len")).rows()


if __name__ == "__main__":
    once(release)
