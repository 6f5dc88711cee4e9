"""PipelineDP on its local backend, which is one thread of Python."""

import pipeline_dp
import pyarrow.parquet

from bench.groupby.cases import DELTA, EPSILON, LOWER, MAX_ROWS, REGIONS, UPPER
from bench.groupby.peer import once


def parameters(max_groups):
    return pipeline_dp.AggregateParams(
        metrics=[pipeline_dp.Metrics.COUNT, pipeline_dp.Metrics.SUM, pipeline_dp.Metrics.MEAN],
        noise_kind=pipeline_dp.NoiseKind.LAPLACE,
        max_partitions_contributed=max_groups,
        max_contributions_per_partition=MAX_ROWS,
        min_value=LOWER,
        max_value=UPPER,
    )


def release(file, max_groups):
    table = pyarrow.parquet.read_table(file, columns=["user_id", "region", "income"])
    rows = list(zip(*(table[column].to_pylist() for column in table.column_names)))
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=DELTA)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    extractors = pipeline_dp.DataExtractors(
        privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1], value_extractor=lambda row: row[2]
    )
    result = engine.aggregate(rows, parameters(max_groups), extractors, public_partitions=list(REGIONS))
    accountant.compute_budgets()
    return [(region, numbers.count, numbers.sum, numbers.mean) for region, numbers in result]


if __name__ == "__main__":
    once(release)
