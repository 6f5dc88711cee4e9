"""Means over a number of rows that the catalog makes public. Usage: public_count_test.py PROGRAM"""
import csv
import json
import os
import unittest

from program import run
from studies import CATALOG, StudyTest

ROWS = 2002
# The last row has no number in educ, in spite of never_null, and counts as 1.
EXACT = (sum(1 + i % 16 for i in range(2000)) + 16 + 1) / ROWS
MEAN = "SELECT AVG(educ) AS educ FROM people"


def catalog(count="public_count = true"):
    rows = CATALOG.replace('unit = "id"', f'unit = "row"\nneighbours = "replace"\n{count}').replace("3.0", "10000")
    return rows.replace("upper = 16", "upper = 16, never_null = true")


def study(epsilon, *statistics):
    """Each is SQL with lines of its own behind it."""
    text = f'catalog = "catalog.toml"\nbudget = {{ epsilon = {epsilon}, delta = 1e-7 }}\n'
    for i, (sql, *lines) in enumerate(statistics):
        text += "\n".join(["[[statistic]]", f'name = "s{i}"', f'sql = "{sql}"', *lines]) + "\n"
    return text


class PublicCount(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", catalog())

    def released(self, epsilon, *statistics):
        """The record, which holds."""
        self.file("study.toml", study(epsilon, *statistics))
        self.printed = self.text("release", "study.toml", "--out", "out")
        self.text("verify", os.path.join("out", "release.json"))
        return json.loads(self.content(os.path.join("out", "release.json")))

    def planned(self, *statistics):
        self.file("study.toml", study(1, *statistics))
        return [one["releases"] for one in self.json("plan", "study.toml")["statistics"]]

    def test_a_mean_rests_on_the_number_of_rows_and_says_so(self):
        record = self.released(2000, (MEAN,))
        (number,) = (row["educ"] for row in record["statistics"][0]["rows"])
        self.assertAlmostEqual(number["value"], EXACT, delta=1e-4)
        self.assertEqual((number["covers"], number["coverage"], number["may_be_empty"]),
                         ("bounded-value", "proven", False))
        (certified,) = record["certificate"]["statistics"]
        self.assertEqual((certified["public_count"], certified["noisy"][0][0]), (ROWS, ROWS))
        self.assertEqual(certified["measurements"][0]["kind"], "public-count-mean")
        self.assertEqual((record["statistics"][0]["releases"][0]["public_count"],
                          record["statistics"][0]["releases"][0]["sensitivity"],
                          record["statistics"][0]["releases"][0]["coordinates"]), (True, 15, 1))
        sentence = "The number of rows of the table 'people', 2002, is public"
        self.assertEqual(sum(one.startswith(sentence) for one in record["assumptions"]), 1)
        self.assertIn("Means rest on the number of rows, which is public", self.printed)
        self.assertIn(sentence.replace("'", "&#39;"), self.content("out/report.html").replace("&apos;", "&#39;")
                      .replace("'", "&#39;"))
        with open("out/s0.csv", newline="", encoding="utf-8") as file:
            (line,) = csv.DictReader(file)
        self.assertEqual([float(line["educ_low"]), float(line["educ_high"])], number["interval"])

    def test_it_costs_no_count(self):
        ((public,),) = self.planned((MEAN, "typical_rows = 2000"))
        self.file("catalog.toml", catalog(""))
        ((noisy,),) = self.planned((MEAN, "typical_rows = 2000"))
        self.assertLess(public["accuracy"], 0.6 * noisy["accuracy"])
        self.assertEqual((public["typical_rows"], noisy["coordinates"]), (2000, 2))
        self.assertNotIn("public_count", noisy)

    def test_targets_are_met_for_typical_rows(self):
        record = self.released(500, (MEAN, f"typical_rows = {ROWS}", "accuracy = { educ = 0.01 }"))
        number = record["statistics"][0]["rows"][0]["educ"]
        self.assertLessEqual(record["statistics"][0]["releases"][0]["accuracy"], 0.01)
        self.assertLessEqual(number["accuracy"], 0.0101)
        self.assertLess(record["guarantee"]["epsilon"], 10)

    def test_many_releases_cover(self):
        record = self.released(200, *[(MEAN,)] * 200)
        missed = 0
        for one in record["statistics"]:
            low, high = one["rows"][0]["educ"]["interval"]
            self.assertLess(high - low, 1)
            missed += not low <= EXACT <= high
        self.assertLessEqual(missed, 28)  # of 200 at 0.05; more come up less often than once in a million

    def test_a_population_has_a_wider_interval(self):
        record = self.released(2000, (MEAN,), (MEAN, 'covers = "population"'),
                               (MEAN, 'covers = "population"', "guaranteed = true"))
        rows, usual, proven = (one["rows"][0]["educ"] for one in record["statistics"])
        for one in (usual, proven):
            self.assertEqual(one["covers"], "population")
            self.assertGreater(one["accuracy"], 0.2)  # 1.96 * 4.6 / sqrt(2002)
            self.assertAlmostEqual(one["value"], EXACT, delta=0.01)
        self.assertEqual((usual["coverage"], proven["coverage"]), ("tested", "proven"))
        self.assertLess(rows["accuracy"], usual["accuracy"])
        self.assertLess(usual["accuracy"], proven["accuracy"])
        self.assertEqual({one["public_count"] for one in record["certificate"]["statistics"]}, {ROWS})

    def test_everything_else_is_as_it_was(self):
        others = ["SELECT COUNT(*) AS n FROM people", "SELECT AVG(educ) AS a FROM people WHERE educ > 3",
                  "SELECT region, AVG(educ) AS a FROM people GROUP BY region", "SELECT AVG(income) AS a FROM people"]
        for releases in self.planned(*[(sql,) for sql in others]):
            for one in releases:
                self.assertNotIn("public_count", one)
        ((complete,),) = self.planned(("SELECT AVG(COALESCE(income, 0)) AS a FROM people",))
        self.assertTrue(complete["public_count"])
        record = self.released(1, *[(sql,) for sql in others])
        self.assertNotIn("public_count", json.dumps(record["certificate"]["statistics"]))

    def test_a_number_that_is_not_public_is_refused_with_the_catalog(self):
        for old, new, saying in (('neighbours = "replace"\n', "", 'needs neighbours = "replace"'),
                                 ('unit = "row"', 'unit = "id"', 'needs unit = "row"'),
                                 ("public_count = true", "public_count = 2002", "must be true or false")):
            self.file("catalog.toml", catalog().replace(old, new))
            self.file("study.toml", study(1, (MEAN,)))
            self.assert_nothing_spent(["release", "study.toml"], 2, saying)
        self.file("catalog.toml", catalog().replace('town   = { type = "string"', 'town = { type = "string", never_null = true'))
        self.assert_nothing_spent(["plan", "study.toml"], 2, "is for numbers with bounds")

    def test_the_catalog_tells_it(self):
        self.assertRegex(self.text("catalog", "check", "catalog.toml"), r"(?m)^public_count +yes ")
        (table,) = self.json("catalog", "check", "catalog.toml")["tables"]
        self.assertTrue(table["public_count"])
        self.assertEqual([one["name"] for one in table["columns"] if one.get("never_null")], ["educ"])

    def test_more_rows_than_the_limit_are_told(self):
        self.file("catalog.toml", catalog().replace("1000000", "2001"))
        self.file("study.toml", study(1, (MEAN,)))
        self.assert_refused(["release", "study.toml"], 1, "more rows, a number that is public, than its row_limit of 2001")

    def test_another_number_is_refused(self):
        self.released(1, (MEAN,))
        text = self.content("out/release.json")
        for old, new in (('"public_count":2002', '"public_count":2001'), ("people', 2002,", "people', 2001,")):
            self.assertIn(old, text)
            self.file("changed.json", text.replace(old, new, 1))
            self.assertEqual(run("verify", "changed.json").returncode, 1)


if __name__ == "__main__":
    unittest.main()
