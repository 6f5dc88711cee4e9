"""How many rows units have, found privately by `vernier bounds CATALOG TABLE`, and the trade as plans show it.
Usage: limits_test.py PROGRAM"""
import json
import os
import re
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000

[tables.orders]
source = "orders.csv"
unit = "customer"

[tables.orders.columns]
customer = { type = "string" }
price = { type = "integer", lower = 0, upper = 10 }

[tables.rows]
source = "orders.csv"
unit = "row"

[tables.rows.columns]
price = { type = "integer", lower = 0, upper = 10 }
"""
# How many customers have so many orders.
CUSTOMERS = {1: 600, 4: 250, 10: 100, 60: 50}
STUDY = """catalog = "catalog.toml"
budget = { epsilon = 1 }
[[statistic]]
name = "orders"
sql = "SELECT COUNT(*) AS n FROM orders"
"""


def more_than(limit):
    return sum(units for rows, units in CUSTOMERS.items() if rows > limit)


def cut_off(limit):
    return sum(units * max(0, rows - limit) for rows, units in CUSTOMERS.items())


class Limits(FolderTest):
    def setUp(self):
        super().setUp()
        names = [f"c{rows}-{i}" for rows, units in CUSTOMERS.items() for i in range(units) for _ in range(rows)]
        self.file("orders.csv", "customer,price\n" + "".join(f"{name},5\n" for name in names))
        self.file("catalog.toml", CATALOG)
        self.file("study.toml", STUDY)

    def found(self, *options):
        done = run("bounds", "catalog.toml", "orders", "--json", *options, XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_each_number_of_units_is_told_from_above_and_the_total_from_both_sides(self):
        told = self.found("--epsilon", "100")
        total = sum(CUSTOMERS.values())
        self.assertLessEqual(told["units_at_least"], total)
        self.assertGreaterEqual(told["units_at_most"], total)
        self.assertEqual([one["max_rows"] for one in told["limits"]], [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70])
        for one in told["limits"]:
            self.assertGreaterEqual(one["units_with_more_at_most"], more_than(one["max_rows"]), one)
            self.assertLessEqual(one["units_with_more_at_most"], more_than(one["max_rows"]) + 3, one)
            self.assertAlmostEqual(one["cut_off_about"], cut_off(one["max_rows"]), delta=700, msg=one)

    def test_a_greater_limit_never_has_more_units_beyond_it(self):
        for round_ in range(4):  # at this budget noise puts them out of order in most of them
            found = json.loads(run("bounds", "catalog.toml", "orders", "--epsilon", f"0.{round_ + 3}", "--json").stdout)["limits"]
            for name in ("units_with_more_at_most", "share_with_more_at_most"):
                told = [one[name] for one in found]
                self.assertEqual(told, sorted(told, reverse=True))

    def test_the_limit_that_is_proposed_has_the_least_of_both(self):
        for at, option in (("1", []), ("0.05", ["--at", "0.05"])):
            told = self.found("--epsilon", "100", *option)
            best = min(told["limits"], key=lambda one: one["cut_off_about"] + one["accuracy"])
            self.assertEqual((told["max_rows"], told["at_epsilon"]), (best["max_rows"], float(at)))
            asked = run("plan", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM orders", "--epsilon", at, "--max-rows", str(best["max_rows"]),
                        "--json")
            self.assertEqual(json.loads(asked.stdout)["statistics"][0]["releases"][0]["accuracy"], best["accuracy"])

    def test_it_costs_what_one_count_costs_however_many_rows_a_unit_has(self):
        before = self.found("--epsilon", "100")
        self.assertTrue(99.9 < before["epsilon"] <= 100 and before["delta"] == 0, before)
        self.file("orders.csv", "\n" * 3 + "\n".join(["heavy,1"] * 20000) + "\n", mode="a")
        after = self.found("--epsilon", "100")
        self.assertLessEqual(abs(after["units_at_most"] - before["units_at_most"]), 3)
        history = run("ledger", "history", "catalog.toml", XDG_STATE_HOME=os.path.join(os.getcwd(), "state")).stdout
        self.assertEqual(history.count("limits of orders"), 2)

    def test_what_is_told_is_signed_and_said_in_words(self):
        done = run("bounds", "catalog.toml", "orders", "--epsilon", "100", "--out", "found", "--plot", "trade.svg")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Aof each customer at most \d+ rows? of orders may count\n\n  max_rows = \d+\n")
        self.assertIn("below [tables.orders]", done.stdout)
        self.assertEqual(run("verify", "found/release.json").returncode, 0)
        self.assertIn("What counts of each customer", self.content("trade.svg"))
        line = re.search(r"max_rows = \d+", done.stdout)[0]
        self.file("catalog.toml", CATALOG.replace('unit = "customer"', f'unit = "customer"\n{line}'))
        self.assertEqual(run("catalog", "check", "catalog.toml").returncode, 0)

    def test_a_plan_shows_what_is_cut_off_beside_the_noise(self):
        plan = run("plan", "study.toml").stdout
        self.assertIn("how many rows they have is found privately by: vernier bounds catalog.toml orders --epsilon 0.1\n", plan)
        run("bounds", "catalog.toml", "orders", "--epsilon", "100", "--out", "found")
        shown = run("plan", "study.toml", "--limits", "found/limits.json").stdout
        trade = [re.split(r"  +", line.strip()) for line in shown[shown.index("what if other rows of each unit counted?"):].splitlines()[1:]]
        self.assertEqual(trade[0], ["max_rows", "orders.n", "epsilon", "units with more, at most", "rows cut off, about"])
        self.assertEqual([row[:3] for row in trade[1:5]], [["1", "± 3", "1"], ["2", "± 6", "1"], ["3", "± 9", "1"], ["5", "± 15", "1"]])
        self.assertAlmostEqual(float(trade[1][4].replace(",", "")), cut_off(1), delta=700)
        points = json.loads(run("plan", "study.toml", "--what-if", "max_rows=1:100:3", "--json").stdout)["what_if"]
        self.assertEqual([(one["max_rows"], one["accuracies"][0]["n"]) for one in points], [(1, 3), (10, 30), (100, 300)])

    def test_where_nothing_stands_out_nothing_is_proposed(self):
        told = self.found("--epsilon", "1e-6")
        self.assertEqual((told["max_rows"], told["limits"], told["rows_about"]), (None, [], None))
        self.assertGreaterEqual(told["units_at_most"], 1000)

    def test_what_has_no_limits_is_refused_before_anything_is_spent(self):
        for words, says in ((("rows",), "every row of the table 'rows' is a unit of its own"),
                            (("orders", "--at", "0"), "--at must be an epsilon above 0"),
                            (("orders", "--max-groups", "2"), "a table was named; leave it out"),
                            (("orders.price", "--at", "2"), "name the table alone")):
            refused = run("bounds", "catalog.toml", *words, "--epsilon", "1")
            self.assertEqual((refused.returncode, refused.stdout), (2, ""), words)
            self.assertIn(says, refused.stderr)
        self.file("other.json", json.dumps({"table": "rows", "limits": []}))
        self.assertIn("is about a table that the study does not ask", run("plan", "study.toml", "--limits", "other.json").stderr)
        self.assertFalse(os.path.exists("catalog.ledger"))


if __name__ == "__main__":
    unittest.main()
