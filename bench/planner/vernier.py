"""The planner as a contender: a case a line, "KIND NUMBER"; its answer is the plan's epsilon over the least.

Usage: vernier.py PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile

from bench.planner import cases, least


def planned(program, folder, study):
    path = os.path.join(folder, "study.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(study.text("catalog.toml"))
    ran = subprocess.run([program, "plan", path, "--json"], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise ValueError(ran.stderr.strip().splitlines()[-1])
    return json.loads(ran.stdout)["guarantee"]["epsilon"]


def answer(program, folder, line):
    kind, number = line.split()
    study = cases.Study(kind, number)
    known = least.least(study.items, cases.DELTA)
    if study.box:
        known = min(known, least.least_in_box(study.box, cases.DELTA))
    return planned(program, folder, study) / known


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "catalog.toml"), "w", encoding="utf-8") as file:
            file.write(cases.CATALOG)
        print("ready", flush=True)
        for line in sys.stdin:
            try:
                print(answer(program, folder, line.strip()), flush=True)
            except ValueError as error:
                print(f"none {error}", flush=True)


if __name__ == "__main__":
    main()
