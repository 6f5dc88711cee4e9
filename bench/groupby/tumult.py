"""Tumult Analytics on Spark. A session evaluates one statistic at a time, so bounding runs three times; each gets a third."""

import os
import sys

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

from pyspark.sql import SparkSession  # noqa: E402
from tmlt.analytics import (  # noqa: E402
    AddRowsWithID,
    KeySet,
    MaxGroupsPerID,
    MaxRowsPerGroupPerID,
    PureDPBudget,
    QueryBuilder,
    Session,
)

from bench.groupby.cases import EPSILON, LOWER, MAX_ROWS, REGIONS, THREADS, UPPER  # noqa: E402
from bench.groupby.peer import once  # noqa: E402

SPARK = (
    SparkSession.builder.master(f"local[{THREADS}]")
    .config("spark.driver.memory", "10g")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "8")  # instead of 200, which is slower here
    .config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
SPARK.sparkContext.setLogLevel("ERROR")


def queries(max_groups):
    kept = QueryBuilder("people").enforce(MaxGroupsPerID("region", max_groups))
    by_region = kept.enforce(MaxRowsPerGroupPerID("region", MAX_ROWS)).groupby(KeySet.from_dict({"region": list(REGIONS)}))
    return by_region.count(), by_region.sum("income", LOWER, UPPER), by_region.average("income", LOWER, UPPER)


def release(file, max_groups):
    session = Session.from_dataframe(
        privacy_budget=PureDPBudget(EPSILON),
        source_id="people",
        dataframe=SPARK.read.parquet(file).select("user_id", "region", "income"),
        protected_change=AddRowsWithID(id_column="user_id"),
    )
    asked = queries(max_groups)
    answers = [session.evaluate(query, PureDPBudget(EPSILON / len(asked))).collect() for query in asked]
    counts, sums, means = (dict(map(tuple, answer)) for answer in answers)
    return [(region, counts[region], sums[region], means[region]) for region in REGIONS]


if __name__ == "__main__":
    once(release)
