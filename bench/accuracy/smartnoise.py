"""SmartNoise SQL on pandas. It spends the epsilon it is given on each column, so that it is given what costs the whole by
its own account."""

import warnings

import pandas
import snsql

from bench.accuracy import cases
from bench.accuracy.peer import NotOffered, by_release, serve

SQL = {"count": "COUNT(*)", "sum": "SUM({})", "mean": "AVG({})", "variance": "VAR({})", "stddev": "STDDEV({})"}
UNUSED = 1e-12  # delta of what has Laplace noise


def reader_of(case, epsilon, table):
    columns = {name: {"type": "int", "lower": lower, "upper": upper} for name, (lower, upper) in cases.BOUNDS[case.table].items()}
    if case.by:
        columns[case.by] = {"type": "string"}
    options = {"row_privacy": True, "rows": len(table), "censor_dims": False, **columns}
    privacy = snsql.Privacy(epsilon=epsilon, delta=UNUSED)
    return snsql.from_df(table, metadata={"": {"": {"t": options}}}, privacy=privacy)


def statement(case):
    if case.kind == "together":
        means = (f"AVG({one}) AS m{place}" for place, one in enumerate(cases.BOUNDS[case.table]))
        return f"SELECT COUNT(*) AS n, {', '.join(means)} FROM t"
    if case.kind not in SQL or case.is_sized or case.table == cases.VISITS:
        raise NotOffered(f"it has no {case.kind} here")
    keys = f"{case.by}, " if case.by else ""
    return f"SELECT {keys}{SQL[case.kind].format(case.column)} AS a FROM t" + (f" GROUP BY {case.by}" if case.by else "")


def release(case):
    sql = statement(case)
    table = pandas.DataFrame(cases.rows_of(case.table))
    if case.by:
        table[case.by] = table[case.by].astype(str)
    cost = reader_of(case, 1.0, table).get_privacy_cost(sql)[0]
    rows = list(reader_of(case, case.epsilon / cost, table).execute(sql))[1:]
    if not case.by:
        return {None: list(rows[0])[1 if case.kind == "together" else 0 :]}
    found = {int(key): [figure] for key, figure in rows}
    return {key: found.get(key, [0.0]) for key in cases.keys_of(case)}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve(by_release(release))
