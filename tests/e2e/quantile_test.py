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
        self.assertIn("s: again is made of published numbers, and costs nothing: m.", text)
        self.assertRegex(text, r"mean .* about ± ")
        self.text("release", "study.toml", "--out", "out")
        self.assertEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)

    def test_deciles_come_from_one_spend(self):
        columns = ", ".join(f"QUANTILE(income, 0.{i}) AS q{i}" for i in range(1, 10))
        answer = self.json(*QUERY, f"SELECT {columns} FROM people", "--epsilon", "1.4")
        statistic = answer["statistics"][0]
        first, *others = statistic["releases"]
        self.assertIn(first["mechanism"], ("geometric", "discrete-gaussian"))
        self.assertEqual([other["shared_with"] for other in others], ["q1"] * 8)
        self.assertEqual(len(answer["certificate"]["events"]), 1)
        # Two rows of every income from 0 to 999, so the quantile p is between 1000 p - 1 and 1000 p. That one of the nine
        # misses by more than ten times the stated ranks is a defect.
        for i, release in enumerate(statistic["releases"], 1):
            number = statistic["rows"][0][f"q{i}"]
            low, high = number["interval"]
            self.assertLessEqual(low, high)
            self.assertLess(abs(number["value"] - 100 * i), 10 * release["accuracy"])
        nine = max(release["accuracy"] for release in statistic["releases"])
        three = self.json(*QUERY, "SELECT QUANTILE(income, 0.1) AS a, MEDIAN(income) AS b, QUANTILE(income, 0.9) AS c "
                          "FROM people", "--epsilon", "1.4")["statistics"][0]["releases"]
        self.assertEqual({release["mechanism"] for release in three}, {"exponential"})
        self.assertLess(nine, 2 * max(release["accuracy"] for release in three))

    def test_deciles_of_a_study_are_planned_drawn_released_and_checked(self):
        columns = ", ".join(f"QUANTILE(income, 0.{i}) AS q{i}" for i in range(1, 10))
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1, delta = 1e-7 }\n[[statistic]]\n'
                  f'name = "deciles"\nsql = "SELECT region, {columns}, COUNT(*) AS n FROM people GROUP BY region"\n')
        self.assertRegex(self.text("plan", "study.toml"), r"q9 .* ranks +shared with q1")
        self.text("plan", "study.toml", "--plot", "plan.svg")
        self.assertIn("q9", self.content("plan.svg"))
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
        ):
            self.assert_nothing_spent([*QUERY, f"SELECT {column} AS m FROM people", "--epsilon", "1"], 2, saying, 3)


if __name__ == "__main__":
    unittest.main()
