"""Plans of series as a contender: a case a line; its answer is the error that the plan states, over the noise of one number.

Usage: vernier.py PROGRAM
"""

import datetime
import json
import math
import os
import subprocess
import sys
import tempfile

from bench.series.cases import LINES

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


def answer(program, folder, line):
    steps, most, apart, kind = LINES[line]
    path = os.path.join(folder, "study.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(study(steps, most, apart))
    ran = subprocess.run([program, "plan", path, "--json"], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ValueError(ran.stderr.strip().splitlines()[-1])
    (series,) = json.loads(ran.stdout)["series"]
    errors = [step["cumulative_deviation"] * series["sensitivity"] / series["scale"] for step in series["steps"]]
    return max(errors) if kind == "greatest" else math.sqrt(sum(error ** 2 for error in errors) / steps)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "catalog.toml"), "w", encoding="utf-8") as file:
            file.write(CATALOG)
        print("ready", flush=True)
        for line in sys.stdin:
            try:
                print(answer(program, folder, line.strip()), flush=True)
            except ValueError as error:
                print(f"none {error}", flush=True)


if __name__ == "__main__":
    main()
