"""Quantiles, MIN and MAX as a user asks for them. Usage: quantile_test.py PROGRAM"""
import json
import os
import unittest

from program import run
from studies import StudyTest

QUERY = ["query", "--catalog", "catalog.toml"]
QUARTILES = ("SELECT region, QUANTILE(income, 0.25) AS q1, MEDIAN(income) AS q2, QUANTILE(income, 0.75) AS q3 "
             "FROM people GROUP BY region")


class Quantile(StudyTest):
    def test_a_budget_gives_quantiles_with_margins(self):
        text = self.text(*QUERY, QUARTILES, "--epsilon", "2.5")
        self.assertRegex(text, r"(?m)^north +\d+ +± \d+ +\d+ +± \d+ +\d+ +± \d+$")
        self.assertRegex(text, r"(?m)^west +(no information|\d)")  # nobody is there: whatever is told covers

    def test_the_interval_covers_and_lies_within_the_ranks_that_were_planned(self):
        answer = self.json(*QUERY, "SELECT MEDIAN(income) AS m FROM people", "--epsilon", "2")
        number = answer["statistics"][0]["rows"][0]["m"]
        low, high = number["interval"]
        self.assertLessEqual(low, number["value"])
        self.assertLessEqual(number["value"], high)
        self.assertTrue(number["informative"])
        self.assertFalse(number["may_be_empty"])
        release = answer["statistics"][0]["releases"][0]
        self.assertEqual((release["mechanism"], release["accuracy_in"]), ("exponential", "ranks"))
        # Two rows of every income from 0 to 999: a rank is half an income. Beyond ten times the stated ranks is a defect.
        self.assertLess(abs(number["value"] - 500), 10 * release["accuracy"])

    def test_least_and_greatest_keep_to_the_bounds(self):
        row = self.json(*QUERY, "SELECT MIN(income) AS lo, MAX(income) AS hi FROM people", "--epsilon", "2")
        row = row["statistics"][0]["rows"][0]
        self.assertEqual(row["lo"]["interval"][0], 0)
        self.assertEqual(row["hi"]["interval"][1], 1000)
        self.assertLess(row["lo"]["interval"][1], 500)
        self.assertGreater(row["hi"]["interval"][0], 500)

    def test_a_target_is_in_ranks(self):
        answer = self.json(*QUERY, "SELECT MEDIAN(income) AS m FROM people", "--accuracy", "40")
        self.assertLessEqual(answer["statistics"][0]["releases"][0]["accuracy"], 40)
        self.assertLess(answer["guarantee"]["epsilon"], 1.2)

    def test_a_plan_says_ranks_and_what_is_shared(self):
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1, delta = 1e-7 }\n[[statistic]]\n'
                  'name = "s"\nsql = "SELECT MEDIAN(income) AS m, QUANTILE(income, 0.5) AS again, MAX(educ) AS top, '
                  'AVG(income) AS mean, COUNT(*) AS n FROM people"\n')
        text = self.text("plan", "study.toml")
        self.assertRegex(text, r"m +exponential +\S+ +± [\d.,]+ ranks")
        self.assertRegex(text, r"again +exponential .* ranks +shared with m")
        self.assertRegex(text, r"mean .* about ± ")
        self.text("release", "study.toml", "--out", "out")
        self.assertEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)

    def test_a_changed_end_is_refused(self):
        answer = run(*QUERY, "SELECT MEDIAN(income) AS m FROM people", "--epsilon", "1", "--json").stdout
        record = json.loads(answer)
        end = record["certificate"]["statistics"][0]["noisy"][0][0]
        self.file("changed.json", answer.replace(f'"noisy":[[{end},', f'"noisy":[[{end + 1},'))
        self.assertNotEqual(self.content("changed.json"), answer)
        self.assertEqual(run("verify", "changed.json").returncode, 1)

    def test_private_keys_have_quantiles_too(self):
        text = self.text(*QUERY, "SELECT town, MEDIAN(income) AS m FROM people GROUP BY town", "--epsilon", "2",
                         "--delta", "1e-7")
        self.assertRegex(text, r"(?m)^Aville +\d+ +± \d+$")
        self.assertNotIn("Secretia", text)

    def test_what_is_no_quantile_is_refused_before_anything_is_spent(self):
        for column, saying in (
                ("QUANTILE(income, 0)", "between 0 and 1"),
                ("QUANTILE(income, 1)", "between 0 and 1"),
                ("QUANTILE(income, 1.5)", "between 0 and 1"),
                ("QUANTILE(income, -0.5)", "between 0 and 1"),
                ("QUANTILE(income, 0.1234567)", "at most 6 digits"),
                ("QUANTILE(income, 0.3333333333333333333333333333333333333333)", "QUANTILE"),
                ("QUANTILE(income, educ)", "between 0 and 1"),
                ("QUANTILE(income)", "QUANTILE"),
                ("MEDIAN(town)", "number"),
                ("MIN(region)", "number"),
                ("MEDIAN(id)", "bound"),
                ("quantile_cont(income, 0.5)", "QUANTILE(x, 0.9)"),
        ):
            self.assert_nothing_spent([*QUERY, f"SELECT {column} AS m FROM people", "--epsilon", "1"], 2, saying, 3)


if __name__ == "__main__":
    unittest.main()
