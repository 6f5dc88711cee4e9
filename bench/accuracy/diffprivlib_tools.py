"""diffprivlib. Its means, variances and quantiles are private for rows that are replaced, with a number of rows that is
public, which is less than what the others promise."""

import warnings

import numpy
from diffprivlib import tools

from bench.accuracy import cases
from bench.accuracy.peer import NotOffered, by_group, by_release, serve


def figures(case, rows):
    if case.table == cases.VISITS:
        raise NotOffered("it knows no people with several rows")
    if case.kind == "together":
        part = case.epsilon / (len(cases.BOUNDS[case.table]) + 1)
        return [
            tools.mean(numpy.array([row[one] for row in rows], dtype=float), epsilon=part, bounds=bounds)
            for one, bounds in cases.BOUNDS[case.table].items()
        ]
    if case.kind == "count":
        return [tools.count_nonzero(numpy.ones(len(rows)), epsilon=case.epsilon)]
    values = numpy.array([row[case.column] for row in rows], dtype=float)
    asked = {"epsilon": case.epsilon, "bounds": cases.BOUNDS[case.table][case.column]}
    if case.kind == "quantile":
        return [tools.quantile(values, case.fraction, **asked)]
    made = {"sum": tools.sum, "mean": tools.mean, "variance": tools.var, "stddev": tools.std}.get(case.kind)
    if made is None:
        raise NotOffered(f"it has no {case.kind}")
    return [made(values, **asked)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(by_release(by_group(figures)))
