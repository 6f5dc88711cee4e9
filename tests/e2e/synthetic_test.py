"""Rows made from released tables, and how far rows are from protected ones. Usage: synthetic_test.py PROGRAM"""
import csv
import os
import random
import unittest
from collections import Counter

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000
delta = 1e-3
[tables.people]
source = "people.csv"
unit = "row"
row_limit = 100000
columns = { sex = { type = "string", keys = ["f", "m"] }, region = { type = "string", keys = ["north", "south", "east"] }, educ = { type = "integer", lower = 1, upper = 4, keys = [1, 2, 3, 4] } }
"""
STUDY = """catalog = "catalog.toml"
budget = { epsilon = 4, delta = 1e-6 }
[[table]]
name = "people"
from = "people"
columns = ["sex", "region", "educ"]
up_to = 2
"""
COLUMNS = ("sex", "region", "educ")
CHECK = ("--catalog", "catalog.toml", "--columns", "sex,region,educ", "--up-to", "2")


def people(count=8000, tied=True):
    chance = random.Random(5)
    rows = []
    for _ in range(count):
        region = chance.choice(["north", "north", "south", "east"])
        educ = 4 if tied and region == "south" and chance.random() < 0.8 else chance.randint(1, 4)
        rows.append((chance.choice("fm"), region, str(educ)))
    return rows


def distance(rows, made):
    """The root of the mean square over all cells of all tables, of shares times the number of rows."""
    squares = cells = 0
    keys = (("f", "m", "other"), ("north", "south", "east", "other"), ("1", "2", "3", "4", "other"))
    for places in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)):
        left = Counter(tuple(row[i] for i in places) for row in rows)
        right = Counter(tuple(row[i] for i in places) for row in made)
        table = [()]
        for place in places:
            table = [one + (key,) for one in table for key in keys[place]]
        for cell in table:
            squares += (left[cell] - right[cell] * len(rows) / len(made)) ** 2
            cells += 1
    return (squares / cells) ** 0.5


class Synthetic(FolderTest):
    def setUp(self):
        super().setUp()
        self.rows = people()
        self.write("people.csv", self.rows)
        self.file("catalog.toml", CATALOG)
        self.file("study.toml", STUDY)

    def write(self, name, rows):
        self.file(name, "\n".join([",".join(COLUMNS)] + [",".join(row) for row in rows]) + "\n")

    def made(self, name):
        with open(name, encoding="utf-8", newline="") as file:
            return [tuple(row[column] for column in COLUMNS) for row in csv.DictReader(file)]

    def test_rows_are_made_of_the_release_alone_and_cost_nothing(self):
        self.text("release", "study.toml")
        before = self.text("ledger", "show", "catalog.toml")
        text = self.text("synthetic", "study.toml", "--rows", "6000")
        self.assertIn("they cost no budget", text)
        made = self.made("study-synthetic.csv")
        self.assertEqual(len(made), 6000)
        self.assertLess(distance(self.rows, made), 150)
        self.assertLess(distance(self.rows, made), distance(self.rows, people(6000, tied=False)) / 3)
        self.text("synthetic", "study-release", "--rows", "6000", "--out", "again.csv")
        self.assertEqual(self.made("again.csv"), made)
        self.text("synthetic", "study-release", "--rows", "50", "--out", "made.parquet")
        with open("made.parquet", "rb") as file:
            content = file.read()
        self.assertTrue(content.startswith(b"PAR1") and content.endswith(b"PAR1"))
        self.assertEqual(self.text("ledger", "show", "catalog.toml"), before)
        self.assertEqual(run("verify", "study-release").returncode, 0)

    def test_a_file_is_told_from_the_rows_with_an_interval_that_holds(self):
        for tied in (True, False):
            rows = people(4000, tied)
            self.write("made.csv", rows)
            truth = distance(self.rows, rows)
            plan = self.json("check-synthetic", "made.csv", *CHECK, "--epsilon", "2", "--plan")
            answer = self.json("check-synthetic", "made.csv", *CHECK, "--epsilon", "2", "--alpha", "1e-6")
            found = answer["distance"]
            self.assertLessEqual(found["low"], truth * 1.02, (tied, truth, answer))
            self.assertGreaterEqual(found["high"], truth * 0.98, (tied, truth, answer))
            self.assertGreater(plan["limit"], 0)
            self.assertLessEqual(answer["epsilon"], 2)
        self.assertGreater(found["low"], 50)
        text = self.text("check-synthetic", "made.csv", *CHECK, "--epsilon", "2")
        self.assertRegex(text, r"off by \S+ on average")

    def test_a_plan_spends_nothing(self):
        self.write("made.csv", people(100))
        self.text("check-synthetic", "made.csv", *CHECK, "--epsilon", "1", "--plan")
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_tables_where_what_a_row_says_is_protected(self):
        self.file("catalog.toml", CATALOG.replace('unit = "row"', 'unit = "row"\nneighbours = "replace"'))
        self.text("release", "study.toml")
        done = run("verify", "study-release")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(self.content("study-release/release.json"), '"epsilon":1e-10,"delta":[0-9.e-]+,"neighbours":"replace"')  # the part of a bound on any rows
        plan = self.text("plan", "study.toml")
        self.assertIn("replace", plan)
        self.assertNotIn("would cost at most", plan)
        self.text("synthetic", "study.toml", "--rows", "2000")
        self.assertLess(distance(self.rows, self.made("study-synthetic.csv")), 250)

    def test_bad_input_gets_one_sentence_and_costs_nothing(self):
        self.write("made.csv", people(10))
        self.file("odd.csv", "sex,region\nf,north\n")
        self.file("empty.csv", "sex,region,educ\n")
        for words, saying in (
                (("synthetic", "study.toml", "--rows", "5"), "no release in the folder"),
                (("synthetic", "study.toml"), "--rows is missing"),
                (("synthetic", "study.toml", "--rows", "0"), "from 1 to 10,000,000"),
                (("check-synthetic", "made.csv", *CHECK), "--epsilon is missing"),
                (("check-synthetic", "made.csv", *CHECK, "--epsilon", "x"), "decimal above 0"),
                (("check-synthetic", "odd.csv", *CHECK, "--epsilon", "1"), "no column 'educ'"),
                (("check-synthetic", "empty.csv", *CHECK, "--epsilon", "1"), "has no rows"),
                (("check-synthetic", "made.csv", "--catalog", "catalog.toml", "--columns", "height", "--epsilon", "1"),
                 "height")):
            with self.subTest(words=words):
                done = run(*words)
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(saying, done.stderr)
        self.assertFalse(os.path.exists("catalog.ledger"))


if __name__ == "__main__":
    unittest.main()
