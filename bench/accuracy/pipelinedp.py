"""PipelineDP on its local backend, with public partitions and Laplace noise."""

import pipeline_dp

from bench.accuracy import cases
from bench.accuracy.peer import NotOffered, by_release, serve

METRICS = {
    "count": pipeline_dp.Metrics.COUNT,
    "sum": pipeline_dp.Metrics.SUM,
    "mean": pipeline_dp.Metrics.MEAN,
    "variance": pipeline_dp.Metrics.VARIANCE,
    "people": pipeline_dp.Metrics.PRIVACY_ID_COUNT,
}


def parameters(case, metric):
    lower, upper = cases.BOUNDS[case.table][case.column] if case.column else (0, 1)
    is_visit = case.table == cases.VISITS
    return pipeline_dp.AggregateParams(
        metrics=[metric],
        noise_kind=pipeline_dp.NoiseKind.LAPLACE,
        max_partitions_contributed=cases.MOST_DAYS if is_visit else 1,
        max_contributions_per_partition=1,
        min_value=lower,
        max_value=upper,
    )


def metric_of(case):
    if case.kind == "quantile":
        return pipeline_dp.Metrics.PERCENTILE(100 * case.fraction)
    if case.kind not in METRICS or case.is_sized:
        raise NotOffered(f"it has no {case.kind} of its own, or none with a public number of rows")
    return METRICS[case.kind]


def release(case):
    metric = metric_of(case)
    rows = [
        (row.get("visitor", place), row[case.by] if case.by else 0, row[case.column] if case.column else 0)
        for place, row in enumerate(cases.rows_of(case.table))
    ]
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=case.epsilon, total_delta=cases.DELTA)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    extractors = pipeline_dp.DataExtractors(
        privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1], value_extractor=lambda row: row[2]
    )
    keys = cases.keys_of(case) if case.by else [0]
    result = engine.aggregate(rows, parameters(case, metric), extractors, public_partitions=keys)
    accountant.compute_budgets()
    return {(key if case.by else None): [numbers[0]] for key, numbers in result}


if __name__ == "__main__":
    serve(by_release(release))
