"""What a release makes of its numbers: `denoise` and `differences`. Usage: derived_test.py PROGRAM"""
import csv
import json
import os
import shutil
import tempfile
import unittest

from program import FolderTest, run
from studies import StudyTest

HEAD = """catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }
"""


def statistic(name, sql, *lines):
    return "\n[[statistic]]\nname = \"" + name + "\"\nsql = \"" + sql + "\"\n" + "\n".join(lines) + "\n"


BY_EDUCATION = statistic("education", "SELECT educ, COUNT(*) AS people, SUM(income) AS income FROM people GROUP BY educ",
                         'denoise = "least-risk"')
CONSISTENT = 'denoise = "consistent"'
ADDING = (statistic("cells", "SELECT region, sex, COUNT(*) AS people FROM people GROUP BY region, sex", CONSISTENT)
          + statistic("regions", "SELECT region, COUNT(*) AS people FROM people GROUP BY region", CONSISTENT)
          + statistic("sexes", "SELECT sex, COUNT(*) AS people FROM people GROUP BY sex", CONSISTENT)
          + statistic("all", "SELECT COUNT(*) AS people FROM people", CONSISTENT))


class OfTheDemo(FolderTest):
    """With the people of `vernier demo`."""

    @classmethod
    def setUpClass(cls):
        cls.demo = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.demo.cleanup)
        folder = os.path.join(cls.demo.name, "demo")
        done = run("demo", "--out", folder)
        assert done.returncode == 0, done.stderr
        cls.people = os.path.join(folder, "people.csv")
        cls.catalog = os.path.join(folder, "catalog.toml")
        with open(cls.people, newline="", encoding="utf-8") as file:
            cls.rows = list(csv.DictReader(file))

    def setUp(self):
        super().setUp()
        os.symlink(self.people, "people.csv")
        shutil.copy(self.catalog, "catalog.toml")

    def released(self, study):
        self.file("study.toml", HEAD + study)
        self.text("release", "study.toml", "--out", "out")
        text = self.text("verify", "out/release.json")
        self.assertRegex(text, r"(?m)^derived +[1-9]\d* +denoised values and differences recomputed")
        with open("out/release.json", encoding="utf-8") as file:
            return json.load(file)["statistics"]

    def lines(self, name):
        with open(f"out/{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def count(self, **keys):
        return sum(all(row[key] == value for key, value in keys.items()) for row in self.rows)

    def test_denoised_values_stand_beside_raw_ones_and_inside_their_intervals(self):
        (found,) = self.released(BY_EDUCATION)
        self.assertEqual(found["denoise"]["asked"], "least-risk")
        self.assertEqual([one["column"] for one in found["denoise"]["columns"]], ["people", "income"])
        for one in found["denoise"]["columns"]:
            self.assertIn(one["used"], ["raw", "james-stein-to-zero", "james-stein-to-mean", "james-stein-to-least",
                                        "soft-threshold"])
            self.assertEqual(one["coverage"], "proven")
        for row, line in zip(found["rows"], self.lines("education"), strict=True):
            for column in ("people", "income"):
                low, high = row[column]["interval"]
                self.assertTrue(low <= row[column]["denoised"] <= high)
                self.assertEqual(float(line[f"{column}_denoised"]), row[column]["denoised"])
                self.assertNotIn("denoised_interval", row[column])

    def test_people_see_which_number_is_which(self):
        self.file("study.toml", HEAD + BY_EDUCATION)
        text = self.text("release", "study.toml", "--out", "out")
        self.assertRegex(text, r"(?m)^educ +people +denoised +income +denoised$")
        self.assertRegex(text, r"(?m)^denoised: people by [a-z-]+, .*; income by [a-z-]+, ")
        page = self.content("out/report.html")
        self.assertIn('<th scope="col" class="number">denoised</th>', page)
        self.assertIn("Intervals belong to the numbers before them.", page)
        self.assertIn("orange marks the denoised number", page)
        self.assertIn('class="denoised"', self.content("out/education-people.svg"))

    def test_tables_add_up(self):
        cells, regions, sexes, everybody = self.released(ADDING)
        total = everybody["rows"][0]["people"]["denoised"]
        for table in (cells, regions, sexes):
            self.assertAlmostEqual(sum(row["people"]["denoised"] for row in table["rows"]), total, delta=1e-6)
            self.assertEqual(table["denoise"]["columns"][0]["used"], "least-squares")
            self.assertLess(table["denoise"]["columns"][0]["risk"], 1)
        for region in regions["rows"]:
            parts = [row["people"]["denoised"] for row in cells["rows"] if row["region"] == region["region"]]
            self.assertAlmostEqual(sum(parts), region["people"]["denoised"], delta=1e-6)
        with open("out/release.json", encoding="utf-8") as file:
            self.assertTrue(any("made to add up do so in the data" in one for one in json.load(file)["assumptions"]))
        self.assertEqual(list(self.lines("all")[0]), ["people", "people_low", "people_high", "people_denoised",
                                                      "people_denoised_low", "people_denoised_high"])

    def test_intervals_of_what_adds_up_hold(self):
        cells, regions, _, everybody = self.released(ADDING.replace(CONSISTENT, CONSISTENT + "\nguaranteed = true"))
        missed = 0
        for row in cells["rows"] + regions["rows"] + everybody["rows"]:
            low, high = row["people"]["denoised_interval"]
            self.assertTrue(low <= row["people"]["denoised"] <= high)
            exact = self.count(**{key: row[key] for key in ("region", "sex") if key in row})
            missed += not low <= exact <= high
        self.assertLessEqual(missed, 8)  # of 31 at 0.05 each

    def test_differences_are_exact_about_the_rows(self):
        (found,) = self.released(statistic(
            "sexes", "SELECT sex, COUNT(*) AS people, AVG(income) AS income, STDDEV(age) AS spread FROM people GROUP BY sex",
            'differences = [["female", "male"]]'))
        (one,) = found["differences"]
        self.assertEqual(list(one), ["groups", "people", "income", "spread"])
        self.assertEqual(one["groups"], ["female", "male"])
        female, male = found["rows"]
        for column in ("people", "income", "spread"):
            low, high = one[column]["interval"]
            self.assertTrue(low <= one[column]["value"] <= high)
            self.assertLess(one[column]["accuracy"], female[column]["accuracy"] + male[column]["accuracy"])
            self.assertEqual((one[column]["confidence"], one[column]["coverage"]), (0.95, "proven"))
        self.assertLess(abs(one["people"]["value"] - self.count(sex="female") + self.count(sex="male")),
                        8 * one["people"]["accuracy"])
        (line,) = self.lines("sexes-differences")
        self.assertEqual((line["first"], line["second"]), ("female", "male"))
        self.assertEqual([float(line["people_low"]), float(line["people_high"])], one["people"]["interval"])
        self.assertIn("female less male", self.content("out/report.html"))

    def test_differences_of_a_population_reach_over_sampling_error(self):
        text = self.content("catalog.toml")
        self.file("catalog.toml", text.replace('source = "people.csv"', 'source = "people.csv"\nsampled = 0.1', 1))
        sql = ("SELECT sex, COUNT(*) AS people, AVG(income) AS income, STDDEV(age) AS spread, SUM(age) AS years, "
               "AVG(CASE WHEN age >= 65 THEN 1 ELSE 0 END) AS old FROM people GROUP BY sex")
        asked = 'differences = [["female", "male"]]'
        rows, drawn = self.released(statistic("rows", sql, asked) +
                                    statistic("drawn", sql, asked, 'covers = "population"'))
        (of_rows,), (found,) = rows["differences"], drawn["differences"]
        first, second = drawn["rows"]
        for column in ("people", "income", "spread", "years", "old"):
            self.assertEqual((of_rows[column]["covers"], found[column]["covers"]), ("bounded-value", "bounded-population"))
            low, high = found[column]["interval"]
            self.assertTrue(low <= found[column]["value"] <= high)
            self.assertLess(found[column]["accuracy"], first[column]["accuracy"] + second[column]["accuracy"])
            self.assertIn("may_be_empty", found[column])
            self.assertEqual(found[column]["coverage"], first[column]["coverage"])
        ages = {sex: [min(max(int(row["age"]), 0), 110) for row in self.rows if row["sex"] == sex]
                for sex in ("female", "male")}
        shares = {sex: sum(age >= 65 for age in all_of) / len(all_of) for sex, all_of in ages.items()}
        exact = {"people": (len(ages["female"]) - len(ages["male"])) / 0.1, "old": shares["female"] - shares["male"]}
        for column, value in exact.items():
            low, high = found[column]["interval"]
            self.assertTrue(2 * low - high <= value <= 2 * high - low, column)  # the rows are in the middle, not at the end
        (line,) = self.lines("drawn-differences")
        self.assertEqual([float(line["old_low"]), float(line["old_high"])], found["old"]["interval"])

    def test_differences_of_real_keys_are_written_as_decimals(self):
        sql = "SELECT BUCKET(income / 1000, 2.5) AS thousands, COUNT(*) AS people FROM people GROUP BY thousands"
        (found,) = self.released(statistic("incomes", sql, "differences = [[2.5, 5], [5.0, 0]]"))
        self.assertEqual([one["groups"] for one in found["differences"]], [["2.5", "5"], ["5", "0"]])
        self.assertEqual([line["first"] for line in self.lines("incomes-differences")], ["2.5", "5"])


class Refused(StudyTest):
    def assert_said(self, lines, saying, sql="SELECT region, COUNT(*) AS people FROM people GROUP BY region"):
        self.file("study.toml", HEAD + statistic("one", sql, *lines))
        self.assert_nothing_spent(["plan", "study.toml"], 2, saying)
        self.assert_nothing_spent(["release", "study.toml"], 2, saying)

    def test_what_cannot_be_made_of_numbers_costs_nothing(self):
        self.assert_said(['denoise = "least-risk"'], "only counts and sums",
                         "SELECT region, AVG(income) AS income FROM people GROUP BY region")
        self.assert_said(['denoise = "least-risk"'], "chosen by their number of units",
                         "SELECT town, COUNT(*) AS people FROM people GROUP BY town")
        self.assert_said(['denoise = "consistent"'], "has no other statistic to add up with")
        self.assert_said(['denoise = "smooth"'], "denoise")
        self.assert_said(['differences = [["north", "sout"]]'], "has no group 'sout' (did you mean south?)")
        self.assert_said(['differences = [["north"]]'], "must be a list of pairs")
        self.assert_said(['differences = [["north", "south"]]'], "has 0 keys", "SELECT COUNT(*) AS people FROM people")
        self.assert_said(['differences = [["north", "south"]]'], "has quantiles",
                         "SELECT region, MEDIAN(income) AS income FROM people GROUP BY region")

    def test_few_groups_stay_as_they_are_and_say_so(self):
        self.file("study.toml", HEAD + statistic(
            "one", "SELECT region, COUNT(*) AS people FROM people GROUP BY region", 'denoise = "james-stein"'))
        text = self.text("release", "study.toml")
        self.assertIn("denoised: people by raw, since 3 groups are too few to learn from", text)

    def test_private_groups_are_compared_only_where_both_are_published(self):
        self.file("study.toml", HEAD + statistic(
            "one", "SELECT town, COUNT(*) AS people FROM people GROUP BY town",
            'differences = [["Aville", "Btown"], ["Aville", "Secretia"], ["Aville", "Nowhere"]]'))
        (found,) = json.loads(self.text("release", "study.toml", "--json"))["statistics"]
        (one,) = found["differences"]
        self.assertEqual(one["groups"], ["Aville", "Btown"])
        self.assertLess(abs(one["people"]["value"] - 666), 8 * one["people"]["accuracy"])


if __name__ == "__main__":
    unittest.main()
