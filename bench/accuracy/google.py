"""Google's C++ library through python-dp."""

from pydp.algorithms import laplacian

from bench.accuracy import cases
from bench.accuracy.peer import NotOffered, by_group, by_release, serve

MADE = {
    "sum": laplacian.BoundedSum,
    "mean": laplacian.BoundedMean,
    "variance": laplacian.BoundedVariance,
    "stddev": laplacian.BoundedStandardDeviation,
    "max": laplacian.Max,
}


def figures(case, rows):
    if case.table == cases.VISITS or case.is_sized:
        raise NotOffered("it takes one row of everybody, of an unknown number")
    if case.kind == "count":
        return [laplacian.Count(epsilon=case.epsilon, dtype="int").quick_result(list(range(len(rows))))]
    columns = cases.BOUNDS[case.table] if case.kind == "together" else {case.column: cases.BOUNDS[case.table][case.column]}
    part = case.epsilon / (len(columns) + 1) if case.kind == "together" else case.epsilon
    return [figure(case, [float(row[one]) for row in rows], bounds, part) for one, bounds in columns.items()]


def figure(case, values, bounds, epsilon):
    asked = {"epsilon": epsilon, "lower_bound": float(bounds[0]), "upper_bound": float(bounds[1]), "dtype": "float"}
    if case.kind == "quantile":
        return laplacian.Percentile(percentile=case.fraction, **asked).quick_result(values)
    return MADE["mean" if case.kind == "together" else case.kind](**asked).quick_result(values)


if __name__ == "__main__":
    serve(by_release(by_group(figures)))
