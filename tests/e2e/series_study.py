"""A study of series and its rows, for the tests of them."""
import contextlib
import json
import sqlite3

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 60.0
delta = 1e-6

[tables.cases]
source = "cases.csv"
unit = "person"
append_only = true
row_limit = 1000000

[tables.cases.columns]
person   = { type = "integer" }
region   = { type = "string", keys = ["north", "south"] }
reported = { type = "date" }
"""

STUDY = """catalog = "catalog.toml"
budget = { epsilon = 20.0, delta = 1e-7 }

[[series]]
name = "cases"
from = "cases"
columns = ["region"]
day = "reported"
step = "day"
start = 2027-01-01
end = 2027-01-20
max_steps = 2
apart = 3
"""

DAYS = [f"2027-01-{day:02}" for day in range(1, 21)]


def rows(days):
    """40 people in the north and 20 in the south on each day, each once; one person on every day, in both."""
    lines = []
    for day in days:
        first = 1000 * DAYS.index(day)
        lines += [f"{first + i},{'south' if i % 3 == 0 else 'north'},{day}" for i in range(60)]
        lines += [f"999999,south,{day}", f"999999,north,{day}"]
    return lines


class SeriesTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.write("catalog.toml", CATALOG)
        self.write("study.toml", STUDY)
        self.arrive(DAYS)

    def write(self, name, text):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)

    def arrive(self, days, *more):
        self.write("cases.csv", "\n".join(["person,region,reported", *rows(days), *more]) + "\n")

    def released(self, day, folder=None, study="study.toml"):
        done = run("release", study, "--step", day, "--out", folder or day, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return done.stdout

    def numbers(self, day, **words):
        record = json.loads(self.released(day, **words))
        return {row["region"]: row for row in record["series"][0]["rows"]}

    def refused(self, *words, saying):
        done = run(*words)
        self.assertNotEqual(done.returncode, 0, words)
        self.assertIn(saying, done.stderr)

    def entries(self, kind="reserve"):
        with contextlib.closing(sqlite3.connect("catalog.ledger", timeout=30)) as ledger:
            return ledger.execute("SELECT epsilon, request FROM entries WHERE kind = ? ORDER BY idx", (kind,)).fetchall()
