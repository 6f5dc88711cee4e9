"""Vernier as a contender: one release of many copies of a table, each a group of its own, which one unit cannot leave.

Usage: vernier.py RUNS PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile

from bench.accuracy import cases
from bench.accuracy.peer import serve

FEW = 40  # releases where each is one of a whole table
SQL = {
    "count": "COUNT(*)",
    "sum": "SUM({})",
    "mean": "AVG({})",
    "variance": "VAR_POP({})",
    "stddev": "STDDEV_POP({})",
    "max": "MAX({})",
    "people": "COUNT(DISTINCT visitor)",
}


def asked(case):
    """The columns of the statement, and the places of those that are judged."""
    if case.kind == "together":
        columns = list(cases.BOUNDS[case.table])
        return ["COUNT(*) AS n", *(f"AVG({one}) AS m{place}" for place, one in enumerate(columns))], [
            f"m{place}" for place in range(len(columns))
        ]
    sql = f"QUANTILE({case.column}, {case.fraction})" if case.kind == "quantile" else SQL[case.kind].format(case.column)
    return [f"{sql} AS a"], ["a"]


def catalog(case, runs):
    lines = ["[budget]", "epsilon = 1e4", "delta = 0.5", f"[tables.t]", 'source = "t.csv"', "row_limit = 10000000"]
    lines += ['unit = "visitor"' if case.table == cases.VISITS else 'unit = "row"']
    lines += ['neighbours = "replace"', "public_count = true"] if case.is_sized else []
    lines += ["[tables.t.columns]"]
    if not case.is_sized:
        lines.append(f"run = {{ type = \"integer\", keys = {list(range(runs))} }}")
    if case.table == cases.VISITS:
        lines.append('visitor = { type = "integer" }')
    for name, (lower, upper) in cases.BOUNDS[case.table].items():
        keys = f", keys = {cases.keys_of(case)}" if name == case.by else ""
        lines.append(f'{name} = {{ type = "integer", lower = {lower}, upper = {upper}, never_null = true{keys} }}')
    return "\n".join(lines) + "\n"


def write_table(path, case, runs):
    rows = cases.rows_of(case.table)
    names = list(rows[0])
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(["run", *names]) + "\n")
        for run in range(runs):
            for row in rows:
                values = {**row, "visitor": 1_000_000 * run + row["visitor"]} if "visitor" in row else row
                file.write(",".join([str(run), *(str(values[name]) for name in names)]) + "\n")


def released(program, folder, case, statement):
    needs_delta = case.table == cases.VISITS
    command = [program, "query", "--json", "--catalog", "catalog.toml", statement, "--epsilon", str(case.epsilon)]
    command += ["--delta", str(cases.DELTA)] if needs_delta else ["--delta", "0"]
    command += ["--max-groups", str(cases.MOST_DAYS)] if case.table == cases.VISITS else []
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ValueError(ran.stderr.strip().splitlines()[-1])
    return json.loads(ran.stdout)["statistics"][0]["rows"]


def errors_of(program):
    def errors(case, runs):
        columns, judged = asked(case)
        with tempfile.TemporaryDirectory() as folder:
            copies = 1 if case.is_sized else runs
            with open(os.path.join(folder, "catalog.toml"), "w", encoding="utf-8") as file:
                file.write(catalog(case, copies))
            write_table(os.path.join(folder, "t.csv"), case, copies)
            if case.is_sized:
                statement = f"SELECT {', '.join(columns)} FROM t"
                found = [released(program, folder, case, statement)[0] for _ in range(min(runs, FEW))]
                return [cases.error(case, {None: [row[name]["value"] for name in judged]}) for row in found]
            keys = ["run", case.by] if case.by else ["run"]
            statement = f"SELECT {', '.join([*keys, *columns])} FROM t GROUP BY {', '.join(keys)}"
            answers = {run: {} for run in range(runs)}
            for row in released(program, folder, case, statement):
                answers[row["run"]][row[case.by] if case.by else None] = [row[name]["value"] for name in judged]
            return [cases.error(case, one) for one in answers.values()]

    return errors


if __name__ == "__main__":
    serve(errors_of(os.path.abspath(sys.argv[2])))
