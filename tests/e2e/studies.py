"""A small table with its catalog and a study, for tests to run and to break."""
import contextlib
import hashlib
import json
import os
import sqlite3

from program import FolderTest

CATALOG = """[budget]
epsilon = 3.0
delta = 1e-6

[tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000

[tables.people.columns]
id     = { type = "integer" }
region = { type = "string", keys = ["north", "south", "west"], labels = { south = "Süden" } }
educ   = { type = "integer", lower = 1, upper = 16 }
income = { type = "real", lower = 0, upper = 1000, granularity = 1 }
town   = { type = "string" }
"""

STUDY = """catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "Income by region"
sql = "SELECT region, COUNT(*) AS people, AVG(income) AS income FROM people GROUP BY region"
accuracy = { people = 50 }
max_groups = 1
max_rows = 2

[[statistic]]
name = "all"
sql = "SELECT SUM(income) AS total, COUNT(income) AS known FROM people WHERE educ >= 3"

[[statistic]]
name = "towns"
sql = "SELECT town, COUNT(*) AS people FROM people GROUP BY town ORDER BY town DESC"
"""

CANARY = "Secretia"


def people(persons=2000):
    """North and south, nobody in the west; a town of one person, whose name must never be seen."""
    lines = ["id,region,educ,income,town"]
    for i in range(persons):
        lines.append(f"{i},{'north' if i % 4 else 'south'},{1 + i % 16},{i % 1000},{'Aville' if i % 3 else 'Btown'}")
    lines.append(f"{persons},north,16,999,{CANARY}")
    lines.append(f"{persons + 1},{CANARY},{CANARY},{CANARY},{CANARY}")  # cells that are no numbers are NULL
    return "\n".join(lines) + "\n"


class StudyTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("people.csv", people())
        self.file("catalog.toml", CATALOG)
        self.file("study.toml", STUDY)

    def break_file(self, name, old, new):
        text = self.content(name)
        self.assertIn(old, text)
        self.file(name, text.replace(old, new))

    def entries(self):
        """The releases that the ledger was charged with."""
        if not os.path.exists("catalog.ledger"):
            return []
        with contextlib.closing(sqlite3.connect("file:catalog.ledger?mode=ro", uri=True)) as ledger:
            try:
                return ledger.execute("SELECT release FROM entries WHERE kind = 'reserve' ORDER BY idx").fetchall()
            except sqlite3.OperationalError:  # it is being made
                return []

    def files(self):
        """Every file below this folder with a hash of its bytes, and every link with where it leads."""
        found = {}
        for folder, _, names in os.walk("."):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    found[path] = os.readlink(path)
                    continue
                with open(path, "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
        return found

    def assert_nothing_spent(self, words, code, saying, lines=1):
        """Refused, and neither the ledger nor any other file has changed."""
        before = self.files()
        self.assert_refused(words, code, saying, lines)
        self.assertEqual(self.files(), before)

    def release(self, folder):
        return json.loads(self.content(os.path.join(folder, "release.json")))
