"""What a statement means, told before anything is read or spent: `vernier sql` and `vernier plan "SELECT"`. Usage: sql_test.py PROGRAM"""
import json
import os
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10

[tables.stays]
source = "stays.csv"
unit = "patient"
row_limit = 100000
max_rows = 3

[tables.stays.columns]
patient = { type = "integer" }
ward = { type = "string", keys = ["heart", "eyes"] }
nights = { type = "integer", lower = 0, upper = 60 }
bill = { type = "real", lower = 0, upper = 50000, granularity = 1 }
"""
MEAN = "SELECT ward, SUM(bill) / COUNT(*) AS bill FROM stays WHERE nights > 3 GROUP BY ward"
DIFFERENCE = "SELECT AVG(bill) - AVG(nights) AS d, COUNT(*) AS n FROM stays"


class Sql(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG)  # there is no file of data: nothing may read one

    def tearDown(self):
        self.assertFalse([name for name in os.listdir(".") if "ledger" in name], "nothing is spent")
        super().tearDown()

    def test_rows_unit_groups_and_what_is_measured_are_told(self):
        told = self.text("sql", "catalog.toml", MEAN)
        for words in ("of stays, where", "at most 3 rows", "2 public groups", "values from 0 to 50000", "AVG("):
            self.assertIn(words, told)

    def test_the_same_as_one_object(self):
        told = self.json("sql", "catalog.toml", DIFFERENCE)
        self.assertEqual(told["unit"], "patient")
        self.assertEqual([one["column"] for one in told["derived"]], ["d"])
        self.assertEqual((told["selects"], told["public_keys"], told["without_effect"]), (False, True, []))
        again = self.json("sql", "catalog.toml", told["statement"])
        self.assertEqual(again["statement"], told["statement"])

    def test_of_a_pair_the_bounds_of_both_are_told(self):
        self.assertIn("y from 0 to 50000, x from 0 to 60", self.text("sql", "catalog.toml", "SELECT CORR(bill, nights) AS r FROM stays"))

    def test_what_has_no_effect_is_said(self):
        options = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=0.1) SUM(bill, contribution_bounds_per_group => (0, 100)) AS s FROM stays"
        self.assertEqual(len(self.json("sql", "catalog.toml", options)["without_effect"]), 2)
        self.assertIn("What OPTIONS says has no effect", self.text("sql", "catalog.toml", options))
        planned = run("plan", "--catalog", "catalog.toml", options, "--epsilon", "1")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        self.assertIn("What OPTIONS says has no effect", planned.stderr)
        self.assertIn("clamps every row", planned.stderr)

    def test_a_statement_is_planned_by_itself(self):
        for statement in (MEAN, "\tSELECT\tCOUNT(*) AS n FROM stays", "\n-- how many\nSELECT COUNT(*) AS n FROM stays",
                          "/* all */ (SELECT COUNT(*) AS n FROM stays)", "with s as (select * from stays) select count(*) as n from s"):
            plan = json.loads(self.text("plan", "--catalog", "catalog.toml", statement, "--epsilon", "1", "--json"))
            self.assertGreater(len(plan), 2, statement)
        self.assertIn("select.toml", run("plan", "select.toml").stderr)

    def test_an_accuracy_is_about_statistics_alone(self):
        plan = ["plan", "--catalog", "catalog.toml", DIFFERENCE, "--accuracy"]
        self.assert_refused([*plan, "5"], saying='"d" is made of "AVG(bill)" and "AVG(nights)"')
        self.assert_refused([*plan, "d=5"], saying='give one to "AVG(bill)" or "AVG(nights)" by name')
        self.assert_refused([*plan, "m=5"], saying='the statement publishes "d" and "n", and no column "m"')
        self.assertIn("n", self.text(*plan, "AVG(bill)=500", "AVG(nights)=2", "n=50"))
        self.assertIn("n", self.text("plan", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n, COUNT(*) AS again FROM stays", "--accuracy", "50"))

    def test_what_is_refused_is_told_with_a_caret(self):
        self.assert_refused(["sql", "catalog.toml", "SELECT SUM(patient) AS x FROM stays"], saying="CLAMP(patient, 0, 100)", lines=3)


if __name__ == "__main__":
    unittest.main()
