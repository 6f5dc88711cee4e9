"""Survey weights: what is asked of a population is weighted, from the catalog to the report. Usage: weights_test.py PROGRAM"""
import csv
import glob
import json
import os
import random
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000.0
delta = 1e-5

[tables.survey]
source = "survey.csv"
unit = "id"
row_limit = 5000
weight = "w"

[tables.survey.columns]
id      = { type = "integer" }
region  = { type = "string", keys = ["north", "south"] }
minutes = { type = "real", lower = 0, upper = 64, granularity = 0.5 }
w       = { type = "real", lower = 0, upper = 16, granularity = 0.25 }
"""
STUDY = 'catalog = "catalog.toml"\nbudget = { epsilon = %s, delta = 1e-7 }\n[[statistic]]\nname = "s"\nsql = "%s"\n'
MEANS = "SELECT region, AVG(minutes) AS m, AVG(CASE WHEN minutes > 30 THEN 1 ELSE 0 END) AS far FROM survey GROUP BY region"
TOTALS = ("SELECT region, COUNT(*) AS people, COUNT(minutes) AS travelling, SUM(minutes) AS minutes FROM survey "
          "GROUP BY region")
POPULATION = 'covers = "population"'


def members(count=3000):
    """A population in which those who travel far are seldom asked, and weigh the more."""
    people = []
    for i in range(count):
        minutes = (i * 37 % count) / count * 64
        people.append((("north", "south")[i % 2], round(minutes * 2) / 2, 1 + round(minutes / 64 * 60) / 4))
    return people


def asked(people, rate, source):
    """Each with a chance that is inversely proportional to its weight."""
    return [one for one in people if source.random() < rate / one[2]]


def hajek(rows, region, value):
    rows = [one for one in rows if one[0] == region]
    return sum(w * value(x) for _, x, w in rows) / sum(w for _, _, w in rows)


class Weights(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG)
        self.people = members()
        self.rows = asked(self.people, 0.9, random.Random(4))
        self.write(self.rows)

    def write(self, rows):
        lines = [f"{i},{region},{minutes},{w}" for i, (region, minutes, w) in enumerate(rows)]
        self.file("survey.csv", "\n".join(["id,region,minutes,w", *lines]) + "\n")

    def study(self, sql, *keys, epsilon="2"):
        self.file("study.toml", STUDY % (epsilon, sql) + "\n".join(keys) + "\n")

    def released(self, folder, sql=MEANS, *keys, epsilon="2"):
        self.study(sql, *(keys or (POPULATION,)), epsilon=epsilon)
        self.printed = self.text("release", "study.toml", "--out", folder)
        self.assertEqual(run("verify", os.path.join(folder, "release.json")).returncode, 0)
        return json.loads(self.content(os.path.join(folder, "release.json")))

    def refused(self, *keys, sql=MEANS):
        self.study(sql, *keys)
        done = run("plan", "study.toml")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        return done.stderr

    def test_without_noise_to_speak_of_it_is_hajeks_mean(self):
        rows = self.released("out", epsilon="1000")["statistics"][0]["rows"]
        for row in rows:
            self.assertAlmostEqual(row["m"]["value"], hajek(self.rows, row["region"], lambda x: x), delta=0.05)
            self.assertAlmostEqual(row["far"]["value"], hajek(self.rows, row["region"], lambda x: x > 30), delta=0.001)
            plain = [x for region, x, _ in self.rows if region == row["region"]]
            self.assertGreater(row["m"]["value"], sum(plain) / len(plain) + 5)  # the rows as they are say less

    def test_rows_without_a_weight_or_with_one_beyond_its_bounds(self):
        self.write([("north", 10, ""), ("north", 20, 99), ("north", 40, 4), ("north", "", 3), ("south", 10, -5)] * 40)
        rows = self.released("out", epsilon="1000")["statistics"][0]["rows"]
        self.assertAlmostEqual(rows[0]["m"]["value"], (16 * 20 + 4 * 40) / 20, delta=0.1)
        self.assertEqual(rows[1]["m"]["interval"], [0, 64])  # nothing weighs anything there

    def test_intervals_hold_the_mean_of_the_population(self):
        truth = {region: [x for where, x, _ in self.people if where == region] for region in ("north", "south")}
        truth = {region: sum(all_of_it) / len(all_of_it) for region, all_of_it in truth.items()}
        source, held, all_of_them = random.Random(9), 0, 0
        for i in range(40):
            self.write(asked(self.people, 0.9, source))
            for row in self.released(f"out{i}", epsilon="20")["statistics"][0]["rows"]:
                low, high = row["m"]["interval"]
                held += low <= truth[row["region"]] <= high
                all_of_them += 1
                self.assertLess(high - low, 30)
        self.assertEqual(all_of_them, 80)
        self.assertGreaterEqual(held, 61)  # of 80 at 95 %: fewer with a chance below 1e-7

    def test_without_noise_to_speak_of_totals_are_those_of_horvitz_and_thompson(self):
        # A row without minutes counts in COUNT(*), one without a weight nowhere.
        self.rows += [("north", "", 4.5), ("south", 10, "")]
        self.write(self.rows)
        rows = self.released("out", TOTALS, epsilon="1000")["statistics"][0]["rows"]
        for row in rows:
            known = [(x, w) for region, x, w in self.rows if region == row["region"] and w != ""]
            with_minutes = [(x, w) for x, w in known if x != ""]
            self.assertAlmostEqual(row["people"]["value"], sum(w for _, w in known), delta=1)
            self.assertAlmostEqual(row["travelling"]["value"], sum(w for _, w in with_minutes), delta=1)
            self.assertAlmostEqual(row["minutes"]["value"], sum(w * x for x, w in with_minutes), delta=100)
            self.assertEqual({row[column]["coverage"] for column in ("people", "travelling", "minutes")}, {"tested"})
            self.assertEqual(row["people"]["covers"], "bounded-population")
            self.assertGreater(row["people"]["accuracy"], 1.9 * sum(w * (w - 1) for _, w in known) ** 0.5)

    def test_intervals_hold_the_totals_of_the_population(self):
        truth = {region: [x for where, x, _ in self.people if where == region] for region in ("north", "south")}
        source, held, all_of_them = random.Random(19), 0, 0
        for i in range(12):
            self.write(asked(self.people, 1, source))
            for row in self.released(f"out{i}", TOTALS, epsilon="20")["statistics"][0]["rows"]:
                for column, true in (("people", len(truth[row["region"]])), ("minutes", sum(truth[row["region"]]))):
                    low, high = row[column]["interval"]
                    held += low <= true <= high
                    all_of_them += 1
                    self.assertLess(high - low, true)
        self.assertEqual(all_of_them, 48)
        self.assertGreaterEqual(held, 35)  # of 48 at 95 %: fewer with a chance below 1e-7

    def test_quantiles_are_those_of_the_weighted_rows(self):
        self.file("catalog.toml", CATALOG.replace("row_limit = 5000", "row_limit = 600"))
        self.write(asked(self.people, 1, random.Random(5))[:600])
        sql = "SELECT MEDIAN(minutes) AS half, QUANTILE(minutes, 0.25) AS quarter FROM survey"
        row = self.released("out", sql, POPULATION, "guaranteed = true", epsilon="1000")["statistics"][0]["rows"][0]
        for column, fraction in (("half", 0.5), ("quarter", 0.25)):
            self.assertEqual((row[column]["coverage"], row[column]["covers"]), ("proven", "bounded-population"))
            low, high = row[column]["interval"]
            # of the population it is at that fraction of 64 minutes; of the rows as they are far below
            self.assertTrue(low <= 64 * fraction <= high, row[column])
            self.assertLess(high - low, 45)
        plain = self.released("rows", sql, 'covers = "sample"', epsilon="1000")["statistics"][0]["rows"][0]
        self.assertLess(plain["half"]["interval"][1], 24)

    def test_totals_have_targets_differences_and_moved_rows(self):
        record = self.released("out", TOTALS, POPULATION, 'differences = [["north", "south"]]', "clamped_share = true",
                               "typical_rows = 300", "accuracy = { people = 700 }", epsilon="1000")
        releases = {one["column"]: one for one in record["statistics"][0]["releases"]}
        self.assertLessEqual(releases["people"]["accuracy"], 700)
        self.assertGreater(releases["people"]["accuracy"], 690)
        self.assertEqual(record["statistics"][0]["rows"][0]["minutes_clamped"]["covers"], "bounded-population")
        self.assertLess(abs(record["statistics"][0]["rows"][0]["minutes_clamped"]["value"]), 50)
        difference = record["statistics"][0]["differences"][0]["people"]
        low, high = difference["interval"]
        self.assertTrue(2 * low - high <= 0 <= 2 * high - low, difference)  # 1,500 in both; outside of thrice the length with a chance below 1e-8
        self.assertTrue(any("a chance of one over its weight" in one for one in record["assumptions"]))

    def test_every_paper_says_so(self):
        record = self.released("out")
        self.assertIn("weighted by 'w'", self.printed)
        planned = self.text("plan", "study.toml")
        self.assertIn("weighted by 'w'", planned)
        self.assertIn("and weights that lie evenly between 0 and the greatest", planned)
        self.assertIn("weighted by &#39;w&#39;", self.content(os.path.join("out", "report.html")).replace("'", "&#39;"))
        self.assertTrue(any("weighted by its column 'w'" in one for one in record["assumptions"]))
        self.assertEqual([one["weighted_by"] for one in record["statistics"][0]["releases"]], ["w", "w"])
        self.assertEqual(record["certificate"]["statistics"][0]["survey_weight"],
                         {"column": "w", "granularity": 0.25, "heaviest": 64})
        table = list(csv.DictReader(self.content(glob.glob(os.path.join("out", "*.csv"))[0]).splitlines()))
        self.assertEqual([row["region"] for row in table], ["north", "south"])
        self.assertIn("for how many members of the population a row stands", self.text("catalog", "check", "catalog.toml"))
        self.assertEqual(self.json("catalog", "check", "catalog.toml")["tables"][0]["weight"], "w")

    def test_rows_as_they_are_have_no_weights(self):
        record = self.released("out", "SELECT COUNT(*) AS n, AVG(minutes) AS m FROM survey", 'covers = "sample"',
                               epsilon="1000")
        row = record["statistics"][0]["rows"][0]
        self.assertEqual(row["n"]["value"], len(self.rows))
        self.assertAlmostEqual(row["m"]["value"], sum(x for _, x, _ in self.rows) / len(self.rows), delta=0.05)
        self.assertNotIn("survey_weight", record["certificate"]["statistics"][0])

    def test_spreads_guarantees_and_differences_are_weighted_too(self):
        record = self.released("out", "SELECT region, AVG(minutes) AS m, STDDEV(minutes) AS s FROM survey GROUP BY region",
                               POPULATION, 'differences = [["north", "south"]]', epsilon="1000")
        for row in record["statistics"][0]["rows"]:
            middle = hajek(self.rows, row["region"], lambda x: x)
            deviation = hajek(self.rows, row["region"], lambda x: (x - middle) ** 2) ** 0.5
            self.assertAlmostEqual(row["s"]["value"], deviation, delta=0.1)
        record = self.released("sure", "SELECT AVG(minutes) AS m FROM survey", POPULATION, "guaranteed = true")
        self.assertEqual(record["statistics"][0]["rows"][0]["m"]["coverage"], "proven")

    def test_what_weights_do_not_tell_is_refused(self):
        self.assertIn("counts units, which are not weighted", self.refused(POPULATION, sql="SELECT COUNT(DISTINCT id) AS n FROM survey"))
        self.assertIn("leave guaranteed out", self.refused(POPULATION, "guaranteed = true", sql="SELECT COUNT(*) AS n FROM survey"))
        self.file("catalog.toml", CATALOG.replace("upper = 16", "upper = 0.75"))
        self.assertIn("'w' stays below 1; declare weights in members", self.refused(POPULATION, sql=TOTALS))
        self.file("catalog.toml", CATALOG)
        self.assertIn("of which a sample tells nothing", self.refused(POPULATION, sql="SELECT MAX(minutes) AS n FROM survey"))
        self.assertIn("within so few ranks", self.refused(POPULATION, "accuracy = { n = 500 }", sql="SELECT MEDIAN(minutes) AS n FROM survey"))
        for old, new, saying in (('weight = "w"', 'weight = "v"', "must be one of its columns"),
                                 ('weight = "w"', 'weight = "region"', "weights are numbers"),
                                 ('weight = "w"', 'weight = "id"', "which is also its unit"),
                                 ('weight = "w"', 'weight = "w"\nsampled = 0.5', "exclude each other"),
                                 ("lower = 0, upper = 16", "lower = -1, upper = 16", "lower bound is negative"),
                                 ("real\", lower = 0, upper = 16, granularity = 0.25", "real\"", "has no bounds")):
            self.file("catalog.toml", CATALOG.replace(old, new))
            self.assertNotEqual(self.content("catalog.toml"), CATALOG)
            self.assertIn(saying, self.refused())

    def test_a_changed_word_is_refused(self):
        self.released("out")
        text = self.content(os.path.join("out", "release.json"))
        for old, new in (('"heaviest":64', '"heaviest":63'), ('"weighted_by":"w"', '"weighted_by":"v"')):
            self.file("changed.json", text.replace(old, new, 1))
            self.assertNotEqual(self.content("changed.json"), text)
            self.assertEqual(run("verify", "changed.json").returncode, 1)


if __name__ == "__main__":
    unittest.main()
