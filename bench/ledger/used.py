"""How much of a budget questions that are asked one after the other can use: a case a line, "used KIND SEED". Its answer is
the epsilon of all that was granted, composed exactly at the budget's delta as if it had been planned at once, over the
budget's epsilon: no filter can grant more than all of it.

Usage: used.py PROGRAM
"""

import json
import os
import random
import subprocess
import sys
import tempfile

KINDS = ("pure", "gaussian", "mixed")
EPSILON, DELTA = 1.0, 1e-6
LEAST = EPSILON / 200  # so small a question ends a sequence when it is refused
GROUPS = 20  # of one unit, whose numbers then have Gaussian noise: of fewer they have geometric noise
CATALOG = f"""[budget]
epsilon = {EPSILON}
delta = {DELTA}
[tables.t]
source = "t.csv"
unit = "id"
row_limit = 1000
[tables.t.columns]
id = {{ type = "integer" }}
x = {{ type = "integer", lower = 0, upper = {GROUPS - 1} }}
"""


LAWS = {False: "geometric", True: "discrete-gaussian"}


def question(is_gaussian):
    if not is_gaussian:
        return ["SELECT COUNT(*) AS n FROM t", "--delta", "0"]
    by_group = "SELECT BUCKET(x, 1) AS b, COUNT(*) AS n FROM t GROUP BY BUCKET(x, 1)"
    return [by_group, "--delta", repr(DELTA / 20), "--max-groups", str(GROUPS)]


def events_of(program, folder, is_gaussian, epsilon):
    """What was given away; nothing where it was refused."""
    command = [program, "query", "--json", "--catalog", "catalog.toml", *question(is_gaussian), "--epsilon", repr(epsilon)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    answer = json.loads(ran.stdout)
    if ran.returncode == 0:
        events = answer["certificate"]["events"]
        if {event["mechanism"] for event in events} != {LAWS[is_gaussian]}:  # another question was asked than was meant
            raise ValueError(f"the noise is {', '.join(event['mechanism'] for event in events)}, not {LAWS[is_gaussian]}")
        return events
    if answer["error"]["kind"] != "exhausted":
        raise ValueError(answer["error"]["sentence"])
    return []


def granted(program, folder, kind, draw):
    """Questions of a few hundredths to a quarter of the budget; one that is refused is asked for half as much."""
    events, most = [], EPSILON
    while most >= LEAST:
        is_gaussian = kind == "gaussian" or (kind == "mixed" and draw.random() < 0.5)
        epsilon = min(most, EPSILON * draw.uniform(0.03, 0.25))
        found = events_of(program, folder, is_gaussian, epsilon)
        events += found
        most = most if found else min(most, epsilon) / 2
    return events


def option_of(event):
    texts = [event["mechanism"], f"scale={event['scale']!r}", f"sensitivity={event['sensitivity']}", f"times={event['times']}"]
    return ["--event", ",".join(texts)]


def used(program, kind, seed):
    draw = random.Random(f"{kind} {seed}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("catalog.toml", CATALOG), ("t.csv", "id,x\n" + "\n".join(f"{i},{i % GROUPS}" for i in range(50)) + "\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        options = [text for event in granted(program, folder, kind, draw) for text in option_of(event)]
    command = [program, "compose", "--json", "--delta", repr(DELTA), *options]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)["epsilon"]["upper"] / EPSILON


def main():
    program = os.path.abspath(sys.argv[1])
    known = {}  # a sequence is the same in every round
    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] != "used":
            print("none it is asked what is used alone", flush=True)
            continue
        try:
            if line not in known:
                known[line] = used(program, words[1], words[2])
            print(known[line], flush=True)
        except (ValueError, subprocess.CalledProcessError) as error:
            print(f"refuses {error}", flush=True)


if __name__ == "__main__":
    main()
