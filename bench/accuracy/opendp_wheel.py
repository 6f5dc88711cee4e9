"""OpenDP from Python, by its integer sums and counts with Laplace noise and its private quantile. A mean is a sum over a
count, each for half of epsilon, and where the number of rows is public a sum over it."""

import functools

import opendp.prelude as dp

from bench.accuracy import cases
from bench.accuracy.peer import NotOffered, by_group, by_release, serve


def added(kind, bounds, epsilon):
    domain = dp.vector_domain(dp.atom_domain(bounds=bounds) if kind == "sum" else dp.atom_domain(T="i32"))
    make = dp.t.make_sum if kind == "sum" else dp.t.make_count
    made = make(domain, dp.symmetric_distance())
    return made >> dp.m.then_laplace(scale=made.map(1) / epsilon)


total = functools.cache(lambda bounds, epsilon: added("sum", bounds, epsilon))
count = functools.cache(lambda epsilon: added("count", None, epsilon))


@functools.cache
def choice(fraction, lower, upper, step, epsilon):
    def made(scale):
        domain = dp.vector_domain(dp.atom_domain(T="i32"))
        candidates = list(range(lower, upper + 1, step))
        return dp.m.make_private_quantile(
            domain, dp.symmetric_distance(), dp.max_divergence(), candidates, alpha=fraction + 1e-9, scale=scale
        )

    return made(made(1.0).map(1) / epsilon)


def mean(values, bounds, epsilon, size=None):
    lower, upper = bounds
    moved = [x - lower for x in values]  # so that an added row moves the sum by the range
    if size is not None:  # a replaced row is one that is removed and one that is added: by the range as well
        return lower + total((0, upper - lower), epsilon)(moved) / size
    return lower + total((0, upper - lower), epsilon / 2)(moved) / max(1, count(epsilon / 2)(values))


def figures(case, rows):
    if case.table == cases.VISITS:
        raise NotOffered("people with several rows are bounded by hand")
    if case.kind == "together":
        columns = cases.BOUNDS[case.table]
        part = case.epsilon / (len(columns) + 1)
        number = max(1, count(part)(list(range(len(rows)))))
        sums = ([row[one] - bounds[0] for row in rows] for one, bounds in columns.items())
        return [
            bounds[0] + total((0, bounds[1] - bounds[0]), part)(values) / number
            for values, bounds in zip(sums, columns.values())
        ]
    values = [row[case.column] for row in rows] if case.column else list(range(len(rows)))
    if case.kind == "count":
        return [count(case.epsilon)(values)]
    bounds = cases.BOUNDS[case.table][case.column]
    if case.kind == "sum":
        return [total(bounds, case.epsilon)(values)]
    if case.kind == "mean":
        return [mean(values, bounds, case.epsilon, len(rows) if case.is_sized else None)]
    if case.kind in ("quantile", "max"):
        fraction = 0.999 if case.kind == "max" else case.fraction
        return [choice(fraction, *bounds, cases.STEP[case.column], case.epsilon)(values)]
    raise NotOffered(f"it has no {case.kind} without the number of rows")


if __name__ == "__main__":
    dp.enable_features("contrib", "honest-but-curious")
    serve(by_release(by_group(figures)))
