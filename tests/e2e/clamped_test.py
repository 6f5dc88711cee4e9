"""How many rows were moved to a bound, as a user asks for it. Usage: clamped_test.py PROGRAM"""
import csv
import json
import unittest

from program import run
from studies import StudyTest

STUDY = """catalog = "catalog.toml"
alpha = 1e-9
budget = { epsilon = 2.5, delta = 1e-7 }

[[statistic]]
name = "all"
sql = "SELECT COUNT(*) AS people, AVG(income) AS income FROM people"
clamped_share = true

[[statistic]]
name = "by region"
sql = "SELECT region, SUM(income) AS total, MAX(income) AS top FROM people GROUP BY region"
clamped_share = true
"""
MOVED = {"all": 1199, "north": 901, "south": 298, "west": 0}  # incomes from 401 to 999, two of each and one more


class Clamped(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("study.toml", STUDY)
        self.break_file("catalog.toml", "upper = 1000, granularity", "upper = 400, granularity")

    def test_it_publishes_how_many_rows_were_moved(self):
        text = self.text("release", "study.toml", "--out", "out")
        record = self.release("out")
        (row,), groups = (statistic["rows"] for statistic in record["statistics"])
        self.assertEqual(list(row), ["people", "income", "income_clamped"])
        self.assertEqual(list(groups[0]), ["region", "total", "top", "total_clamped"])
        low, high = row["income_clamped"]["interval"]
        self.assertTrue(low <= MOVED["all"] <= high, (low, high))
        self.assertLess(high - low, 2000)
        for one in groups:
            low, high = one["total_clamped"]["interval"]
            self.assertTrue(low <= MOVED[one["region"]] <= high, one)
        self.assertEqual(row["income"]["covers"], "bounded-value")
        named = {one["column"]: one.get("clamped_count") for one in record["statistics"][1]["releases"]}
        self.assertEqual(named, {"total": "total_clamped", "top": "total_clamped", "total_clamped": None})
        low, high = (f"{end:,}" for end in row["income_clamped"]["interval"])
        said = f"income covers the bounded mean: between {low} and {high} rows were moved to a bound"
        self.assertIn("\n" + said + "\n", text)
        self.assertIn("\ntop covers the bounded maximum: total_clamped says how many rows of each group were moved to a bound\n", text)
        self.assertIn(f"<li>{said}. How far outside they lay is not known", self.content("out/report.html"))
        with open("out/all.csv", newline="", encoding="utf-8") as file:
            self.assertIn("income_clamped_high", next(csv.reader(file)))

    def test_the_mean_is_that_of_bounded_values(self):
        record = json.loads(self.text("release", "study.toml", "--json"))
        low, high = record["statistics"][0]["rows"][0]["income"]["interval"]
        exact = (2 * sum(min(income, 400) for income in range(1000)) + 400) / 2001
        self.assertTrue(low <= exact <= high <= 400, (low, exact, high))

    def test_verify_looks_at_it(self):
        self.text("release", "study.toml", "--out", "out")
        path = "out/release.json"
        self.assertEqual(run("verify", path).returncode, 0)
        text = self.content(path)
        for old, new in (('"clamped_count":"total_clamped"', '"clamped_count":"total"'),
                         ('"clamped_share":true', '"clamped_share":false')):
            self.assertIn(old, text)
            self.file("changed.json", text.replace(old, new, 1))
            self.assertEqual(run("verify", "changed.json").returncode, 1)

    def test_the_plan_tells_its_accuracy_and_takes_a_target(self):
        text = self.text("plan", "study.toml")
        self.assertRegex(text, r"income_clamped +\S+ +\S+ +± \d+")
        self.break_file("study.toml", "clamped_share = true\n\n", "clamped_share = true\naccuracy = { income_clamped = 700 }\n\n")
        plan = json.loads(self.text("plan", "study.toml", "--json"))
        one = next(one for one in plan["statistics"][0]["releases"] if one["column"] == "income_clamped")
        self.assertLessEqual(one["accuracy"], 700)

    def test_an_analyst_may_ask_it_in_sql(self):
        sql = "SELECT COUNT(*) AS n FROM people WHERE IS_CLAMPED(income)"
        number = self.json("query", "--catalog", "catalog.toml", sql, "--epsilon", "2")["statistics"][0]["rows"][0]["n"]
        self.assertLess(abs(number["value"] - MOVED["all"]), 100)

    def test_what_cannot_be_is_refused_before_anything_is_spent(self):
        for old, new, saying in (
                ("AVG(income) AS income FROM", "COUNT(income) AS income FROM", "nothing in it can be moved to a bound"),
                ("COUNT(*) AS people", "COUNT(*) AS Income_Clamped", "would publish two columns 'income_clamped'"),
                ("clamped_share = true\n\n", 'clamped_share = "yes"\n\n', "clamped_share"),
                ("AVG(income)", "AVG(CASE WHEN IS_CLAMPED(id) THEN 1 ELSE 0 END)", "nothing in it can be moved to a bound")):
            self.file("study.toml", STUDY)
            self.break_file("study.toml", old, new)
            before = self.files()
            result = run("release", "study.toml")
            self.assertEqual(result.returncode, 2)
            self.assertIn(saying, result.stderr)
            self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
