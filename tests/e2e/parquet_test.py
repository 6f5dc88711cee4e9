"""Parquet files with cells that no reader likes, as an analyst would aim at them. Usage: parquet_test.py PROGRAM"""
import json
import os
import time
import unittest

from parquet_cells import BYTES, INT64, JSON, UTF8, Column, parquet
from program import FolderTest, run

CATALOG = """[budget]
epsilon = 1000
delta = 1e-6
ledger = "people.ledger"
[tables.people]
source = "people.parquet"
unit = "id"
[tables.people.columns]
id = { type = "integer" }
v  = { type = "integer", lower = 0, upper = 1000 }
x  = { type = "string" }
"""

STUDY = """catalog = "catalog.toml"
budget = { epsilon = 1e-9 }
[[statistic]]
name = "n"
sql = "SELECT COUNT(x) AS n FROM people %s"
max_rows = 1
"""

ROWS, BAD = 2000, 1507


class Parquet(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG)
        self.asked = 0

    def table(self, bad=b"fine", converted=UTF8):
        cells = [b"{}"] * ROWS
        cells[BAD] = bad
        return parquet([Column("id", INT64, list(range(ROWS))), Column("v", INT64, [i % 1000 for i in range(ROWS)]),
                        Column("x", BYTES, cells, converted)])

    def put(self, data):
        with open("people.parquet", "wb") as file:
            file.write(data)

    def ask(self, where):
        self.file("study.toml", STUDY % where)
        self.asked += 1
        return run("release", "study.toml", "--json", "--out", f"answer-{self.asked}")

    def keys(self, answer):
        return [list(row) for row in json.loads(answer.stdout)["statistics"][0]["rows"]]

    def test_no_cell_answers_a_question_by_failing(self):
        for bad, converted in ((b"\xff\xfe", UTF8), (b"\xff", 4), (b"", JSON), (b"{", JSON), (b"\xff", JSON)):
            with self.subTest(bad=bad, converted=converted):
                self.put(self.table(bad, converted))
                for where in (f"WHERE id = {BAD}", f"WHERE id = {BAD + 1}", "", f"WHERE x = 'a' AND id = {BAD}",
                              f"WHERE id = {BAD} AND x IS NULL"):
                    answer = self.ask(where)
                    self.assertEqual((answer.returncode, answer.stderr), (0, ""), where)
                    self.assertEqual(self.keys(answer), [["n"]])

    def test_nothing_is_found_by_bisection(self):
        """The value of the person whose cell is bad: every half answers alike."""
        self.put(self.table(b"\xff"))
        low, high = 0, 1000
        while high - low > 1:
            middle = (low + high) // 2
            self.assertEqual(self.ask(f"WHERE v BETWEEN {low} AND {middle}").returncode, 0)
            self.assertEqual(self.ask(f"WHERE v BETWEEN {middle} AND {high}").returncode, 0)
            low = middle

    def damaged(self):
        """The length of the bad row's text says more than there is."""
        data = self.table(b"badbad")
        at = data.index(b"badbad")
        return data[:at - 4] + b"\xff\xff\xff\x7f" + data[at:]

    def test_a_damaged_file_fails_whatever_is_asked_and_closes_the_table(self):
        sentences = set()
        for where in (f"WHERE id = {BAD}", f"WHERE id = {BAD + 1}", "", "WHERE id < 0"):
            self.put(self.damaged())
            answer = self.ask(where)
            self.assertEqual(answer.returncode, 1, where)
            sentences.add(answer.stderr)
            self.assertEqual(run("catalog", "reopen", "catalog.toml", "--table", "people").returncode, 0)
        self.assertEqual(len(sentences), 1)
        sentence = sentences.pop()
        self.assertIn("the table 'people' is closed", sentence)
        self.assertIn("vernier catalog reopen catalog.toml --table people", sentence)

    def spent(self):
        return json.loads(run("ledger", "show", "catalog.toml", "--json").stdout)

    def test_a_closed_table_stays_closed_until_the_steward_reopens_it(self):
        self.put(self.damaged())
        self.assertEqual(self.ask("").returncode, 1)
        before = self.spent()
        self.put(self.table())  # mended, and still closed: nobody has said so
        for where in ("", "WHERE id = 3"):
            answer = self.ask(where)
            self.assertEqual(answer.returncode, 1)
            self.assertIn("is closed, since the engine failed on it in an earlier run", answer.stderr)
            self.assertIn("nothing was charged", answer.stderr)
        self.assertEqual(self.spent(), before)
        answer = run("catalog", "reopen", "catalog.toml", "--table", "PEOPLE", "--json")
        self.assertEqual(json.loads(answer.stdout), {"table": "people", "was_closed": True})
        self.assertEqual(self.ask("").returncode, 0)
        self.assertIn("was not closed", run("catalog", "reopen", "catalog.toml", "--table", "people").stdout)

    def test_what_to_reopen_must_be_said(self):
        self.assertIn("which table", run("catalog", "reopen", "catalog.toml").stderr)
        answer = run("catalog", "reopen", "catalog.toml", "--table", "peple")
        self.assertIn("protects no table 'peple'", answer.stderr)
        self.assertIn("did you mean people?", answer.stderr)
        self.assertIn("--table belongs to", run("catalog", "check", "catalog.toml", "--table", "people").stderr)
        self.assertEqual([name for name in os.listdir(".") if "tables" in name], [])

    def seen(self):
        return [name for name in os.listdir("people.ledger.tables") if name.endswith(".seen")]

    def test_a_file_is_looked_through_once(self):
        """Afterwards it is known by its times: damage that changes them is found, and nothing else is read again."""
        self.put(self.table())
        time.sleep(2.1)  # younger files are not known by their times
        self.assertEqual(self.ask("").returncode, 0)
        self.assertEqual(len(self.seen()), 1)
        self.put(self.damaged())
        self.assertEqual(self.ask("WHERE id < 0").returncode, 1)
        self.assertEqual(run("catalog", "reopen", "catalog.toml", "--table", "people").returncode, 0)
        self.assertEqual(self.seen(), [])


if __name__ == "__main__":
    unittest.main()
