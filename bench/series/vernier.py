"""Plans of series as a contender: a case a line; its answer is the error that the plan states, over the noise of one number.

Usage: vernier.py PROGRAM STEPS
"""

import datetime
import json
import math
import os
import subprocess
import sys
import tempfile

from bench.series.cases import EPSILON, LINES, MILLISECONDS

CATALOG = """[budget]
epsilon = 10
delta = 1e-6
[tables.cases]
source = "cases.csv"
unit = "person"
append_only = true
row_limit = 1000000
[tables.cases.columns]
person = { type = "integer" }
reported = { type = "date" }
"""


def study(steps, most, apart):
    end = datetime.date(1970, 1, 1) + datetime.timedelta(steps - 1)
    return (f'catalog = "catalog.toml"\nbudget = {{ epsilon = 1, delta = 1e-6 }}\n[[series]]\nname = "cases"\nfrom = "cases"\n'
            f'day = "reported"\nstep = "day"\nstart = 1970-01-01\nend = {end}\nmax_steps = {most}\napart = {apart}\nbest = "cumulative"\n')


def said(words):
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ValueError((ran.stderr.strip() or "it failed").splitlines()[-1])
    return ran.stdout


def answer(program, measure, folder, line):
    if line in MILLISECONDS:
        return float(said([measure, *MILLISECONDS[line], os.path.join(folder, "steps")]))
    steps, most, apart, kind = LINES.get(line, (365, 1, 1, "epsilon"))
    path = os.path.join(folder, "study.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(study(steps, most, apart))
    plan = json.loads(said([program, "plan", path, "--json"]))
    (series,) = plan["series"]
    if line == EPSILON:
        scale = repr(series["scale"] / series["sensitivity"])
        one = said([program, "calibrate", "gaussian", "--scale", scale, "--delta", repr(plan["guarantee"]["delta"]), "--json"])
        return plan["guarantee"]["epsilon"] / json.loads(one)["epsilon"]
    errors = [step["cumulative_deviation"] * series["sensitivity"] / series["scale"] for step in series["steps"]]
    return max(errors) if kind == "greatest" else math.sqrt(sum(error ** 2 for error in errors) / steps)


def main():
    program, measure = (os.path.abspath(word) for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "catalog.toml"), "w", encoding="utf-8") as file:
            file.write(CATALOG)
        print("ready", flush=True)
        for line in sys.stdin:
            try:
                print(answer(program, measure, folder, line.strip()), flush=True)
            except ValueError as error:
                print(f"none {error}", flush=True)


if __name__ == "__main__":
    main()
