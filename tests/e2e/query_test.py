"""`vernier query` as a user runs it. Usage: query_test.py PROGRAM"""
import json
import os
import re
import threading
import unittest

from program import run
from studies import StudyTest

COUNT = ["query", "--catalog", "catalog.toml", "SELECT region, COUNT(*) AS people FROM people GROUP BY region"]
MEAN = ["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS people, AVG(income) AS income FROM people"]


SPREAD = ["query", "--catalog", "catalog.toml",
          "SELECT STDDEV(income) AS sd, VAR_POP(income) AS var, AVG(income) AS mean, COUNT(income) AS n, SUM(income) AS total FROM people"]


class Query(StudyTest):
    def test_a_budget_gives_numbers_with_margins(self):
        text = self.text(*COUNT, "--epsilon", "0.5")
        self.assertRegex(text, r"(?m)^north +1,\d+ +± \d+$")
        self.assertEqual(len(self.entries()), 1)

    def test_json_is_a_release_of_one_statistic(self):
        answer = self.json(*COUNT, "--epsilon", "0.5", "--delta", "1e-7", "--alpha", "0.1")
        self.assertEqual((answer["study"], len(answer["statistics"])), ("query", 1))
        self.assertEqual(answer["statistics"][0]["sql"], COUNT[-1])
        self.assertEqual(answer["statistics"][0]["rows"][0]["people"]["confidence"], 0.9)
        self.assertLessEqual(answer["guarantee"]["epsilon"], 0.5)

    def test_an_accuracy_gives_the_least_budget(self):
        answer = self.json(*COUNT, "--accuracy", "50")
        self.assertEqual({row["people"]["accuracy"] for row in answer["statistics"][0]["rows"]}, {50})
        self.assertLess(answer["guarantee"]["epsilon"], 0.07)

    def test_the_catalog_is_read_once(self):
        """A pipe gives its text to the first reader; a second one would wait for ever."""
        with open("catalog.toml", encoding="utf-8") as file:
            text = file.read()
        os.remove("catalog.toml")
        os.mkfifo("catalog.toml")
        asked = [[*COUNT, "--accuracy", "50"], ["bounds", "catalog.toml", "people.income", "--epsilon", "0.1"],
                 ["release", "study.toml"]]
        for words in asked:
            with self.subTest(words[0]):
                writer = threading.Thread(target=lambda: open("catalog.toml", "w", encoding="utf-8").write(text), daemon=True)
                writer.start()
                self.text(*words)
                writer.join()

    def test_accuracies_by_name(self):
        answer = self.json(*MEAN, "--accuracy", "people=60", "income=20", "--typical-rows", "2000")
        releases = {release["column"]: release for release in answer["statistics"][0]["releases"]}
        self.assertLessEqual(releases["people"]["accuracy"], 60)
        self.assertLessEqual(releases["income"]["accuracy"], 20)
        self.assertEqual(releases["income"]["typical_rows"], 2000)

    def test_spreads_share_one_measurement_with_mean_count_and_sum(self):
        answer = self.json(*SPREAD, "--epsilon", "2")
        statistic = answer["statistics"][0]
        self.assertEqual([release.get("shared_with") for release in statistic["releases"]], [None, "sd", "sd", "sd", "sd"])
        self.assertEqual([release["share"] for release in statistic["releases"]], [1, 0, 0, 0, 0])
        incomes = [i % 1000 for i in range(2000)] + [999]  # and one that is no number
        mean = sum(incomes) / len(incomes)
        variance = sum((x - mean) ** 2 for x in incomes) / len(incomes)
        exact = {"sd": (variance * 2001 / 2000) ** 0.5, "var": variance, "mean": mean, "n": 2001, "total": sum(incomes)}
        row = statistic["rows"][0]
        for name, number in exact.items():
            with self.subTest(name):  # far wider than 95 %: a miss is no accident
                self.assertLess(abs(row[name]["value"] - number), 20 * row[name]["accuracy"])
                self.assertLess(row[name]["accuracy"], 0.05 * number)
                self.assertEqual(row[name]["coverage"], "proven")

    def test_spreads_of_special_values(self):
        """NULL, NaN and what is no finite number in a CSV are no values; -0 is 0; what lies outside is moved to the bound."""
        cells = ["5", "nan", "inf", "-inf", "abc", "-0", "", "1e400", "2.5", "-7", "1e300"]
        os.mkdir("special")
        with open("special/t.csv", "w", encoding="utf-8") as file:
            file.write("x\n" + "".join(f'"{cell}"\n' for cell in cells * 300))
        with open("special/catalog.toml", "w", encoding="utf-8") as file:
            file.write('[budget]\nepsilon = 50\ndelta = 1e-6\n[tables.t]\nsource = "t.csv"\nunit = "row"\n[tables.t.columns]\n'
                       'x = { type = "real", lower = 0, upper = 10, granularity = 0.5 }\n')
        row = self.json("query", "--catalog", "special/catalog.toml",
                        "SELECT COUNT(x) AS n, AVG(x) AS mean, STDDEV_POP(x) AS sd FROM t", "--epsilon", "40")["statistics"][0]["rows"][0]
        values = [5, 0, 2.5, 0, 10]
        mean = sum(values) / len(values)
        deviation = (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5
        self.assertLess(abs(row["n"]["value"] - 300 * len(values)), 3)
        self.assertLess(abs(row["mean"]["value"] - mean), 0.02)
        self.assertLess(abs(row["sd"]["value"] - deviation), 0.02)

    def test_a_changed_spread_is_refused(self):
        text = run(*SPREAD, "--epsilon", "1", "--json").stdout
        changed = re.sub(r'("sd":\{"value":)', r"\g<1>1", text, count=1)
        self.assertNotEqual(changed, text)
        for name, record, code in (("same.json", text, 0), ("other.json", changed, 1)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(record)
            self.assertEqual(run("verify", name).returncode, code)

    def test_spreads_of_what_is_no_number_are_refused(self):
        for sql, saying in (("SELECT STDDEV(region) AS s FROM people", "takes a number"),
                            ("SELECT VARIANCE(income > 3) AS s FROM people", "CASE WHEN"),
                            ("SELECT VARIANCE(id) AS s FROM people", "bounds"),
                            ("SELECT STDDEV(income, 2) AS s FROM people", "one expression"),
                            ("SELECT STDDEV(CLAMP(educ, 4, 4)) AS s FROM people", "is the same in all rows")):
            with self.subTest(sql):
                done = run("query", "--catalog", "catalog.toml", sql, "--epsilon", "1")
                self.assertEqual(done.returncode, 2)
                self.assertIn(saying, done.stderr)
        self.assertEqual(os.path.exists("catalog.ledger"), False)

    def test_units_with_many_rows(self):
        narrow = self.json(*COUNT, "--epsilon", "0.1")["statistics"][0]["releases"][0]
        wide = self.json(*COUNT, "--epsilon", "0.1", "--max-rows", "5")["statistics"][0]["releases"][0]
        self.assertEqual((narrow["sensitivity"], wide["sensitivity"]), (1, 5))

    def test_nothing_but_the_ledger_is_written(self):
        before = set(os.listdir("."))
        self.text(*COUNT, "--epsilon", "0.1")
        self.assertEqual(set(os.listdir(".")) - before, {"catalog.ledger"})

    def test_what_is_wrong_is_said_before_anything_is_spent(self):
        for words, saying in (
                ([*COUNT], "--epsilon E, or --accuracy A"),
                ([*COUNT, "--delta", "1e-7"], "--epsilon E, or --accuracy A"),
                ([*COUNT, "--accuracy", "50", "--delta", "1e-7"], "--delta belongs to --epsilon"),
                ([*COUNT, "--epsilon", "0"], "epsilon"),
                ([*COUNT, "--epsilon", "-1"], "--epsilon"),
                ([*COUNT, "--epsilon", "1", "--delta", "2"], "delta"),
                ([*COUNT, "--epsilon", "1", "--alpha", "2"], "alpha"),
                ([*COUNT, "--accuracy", "0"], "above 0"),
                ([*COUNT, "--accuracy", "income=3"], 'publishes "people"'),
                ([*COUNT, "--accuracy", "people=3", "PEOPLE=4"], "twice"),
                ([*COUNT, "--epsilon", "1", "--max-groups", "0"], "--max-groups must be from 1"),
                ([*COUNT, "--accuracy", "1", "--epsilon", "0.01"], "need epsilon"),
                (["query", "--catalog", "catalog.toml", "--epsilon", "1"], "the statement is missing"),
                ([COUNT[0], COUNT[-1], "--epsilon", "1"], "--catalog is missing"),
                ([*COUNT, "--epsilom", "1"], "did you mean --epsilon?")):
            with self.subTest(saying):
                self.assert_nothing_spent(words, 2, saying)
        self.assert_nothing_spent(["query", "--catalog", "catalog.toml", "SELECT * FROM people", "--epsilon", "1"], 2, "*", lines=3)
        self.assert_nothing_spent(["query", "--catalog", "none.toml", COUNT[-1], "--epsilon", "1"], 1, "none.toml")

    def test_a_sentence_about_a_query_names_no_file(self):
        done = run("query", "--catalog", "catalog.toml", "SELECT town, COUNT(*) AS n FROM people GROUP BY town", "--epsilon", "1")
        self.assertEqual(done.returncode, 2)
        self.assertNotRegex(done.stderr, r"vernier: [^ ]*:\d+:\d+:")


if __name__ == "__main__":
    unittest.main()
