"""Which tests fit into a time: the cheapest of them, by what they took when they last ran in the build folder.

Usage: fast_tests.py BUILD SECONDS JOBS
Prints what `ctest -I` takes.
"""
import json
import subprocess
import sys
from pathlib import Path

UNKNOWN = 0.2  # s of a test that never ran: most take less


def costs(build):
    """{test: average seconds}, of what ctest remembers up to its line of dashes."""
    path = Path(build, "Testing/Temporary/CTestCostData.txt")
    lines = path.read_text().split("---")[0].splitlines() if path.exists() else []
    return {name: float(cost) for name, runs, cost in map(str.split, lines) if int(runs) > 0}


def labels(test):
    return next((entry["value"] for entry in test.get("properties", []) if entry["name"] == "LABELS"), [])


def chosen(tests, known, seconds):
    """The numbers, from 1, of the cheapest tests that take so many seconds together; heavy ones are never among them."""
    numbers, left = [], seconds
    light = [(known.get(test["name"], UNKNOWN), number) for number, test in enumerate(tests, 1) if "heavy" not in labels(test)]
    for cost, number in sorted(light):
        left -= cost
        if left < 0:
            break
        numbers.append(number)
    return sorted(numbers)


def main():
    build, seconds, jobs = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    numbers = chosen(json.loads(listed.stdout)["tests"], costs(build), seconds * jobs)
    print(",".join(map(str, [0, 0, 0, *numbers])))


if __name__ == "__main__":
    main()
