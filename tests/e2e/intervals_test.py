"""Intervals of the rows and of their population, each by itself and all at once. Usage: intervals_test.py PROGRAM"""
import json
import os
import unittest

from program import run
from studies import CATALOG, StudyTest

HEAD = 'catalog = "catalog.toml"\nbudget = { epsilon = 2, delta = 1e-7 }\n'
MEANS = "SELECT region, COUNT(*) AS n, AVG(educ) AS educ FROM people GROUP BY region"


def statistic(sql, *keys):
    return "\n".join(['[[statistic]]', 'name = "s"', f'sql = "{sql}"', *keys]) + "\n"


class Intervals(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG.replace("row_limit", "sampled = 0.02\nrow_limit"))

    def released(self, sql, *keys):
        """The study's record, which holds, with a second look at what a person sees."""
        self.file("study.toml", HEAD + statistic(sql, *keys))
        self.printed = self.text("release", "study.toml", "--out", "out")
        self.assertEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)
        return json.loads(self.content(os.path.join("out", "release.json")))

    def refused(self, *keys, sql=MEANS):
        self.file("study.toml", HEAD + statistic(sql, *keys))
        done = run("plan", "study.toml")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        return done.stderr

    def test_a_population_has_wider_intervals_that_say_so(self):
        record = self.released(MEANS, 'covers = "population"')
        row = record["statistics"][0]["rows"][0]
        for number in (row["n"], row["educ"]):
            self.assertEqual(number["covers"], "bounded-population")
            self.assertIn("may_be_empty", number)
            self.assertLess(number["interval"][0], number["interval"][1])
        self.assertEqual((row["n"]["coverage"], row["educ"]["coverage"]), ("proven", "tested"))
        self.assertLess(row["n"]["interval"][0], 1501 / 0.02)
        self.assertGreater(row["n"]["interval"][1], 1501 / 0.02)
        self.assertGreater(row["educ"]["accuracy"], 0.15)  # 1.96 * 4.6 / sqrt(1501) * sqrt(0.98)
        self.assertIn("population", self.printed)
        page = self.content(os.path.join("out", "report.html"))
        self.assertIn("Intervals are for what counts of the population of which the units are a random sample", page)
        self.assertIn("with probability 1/50, by a design that is public", page)

    def test_a_guaranteed_interval_is_proven(self):
        record = self.released("SELECT AVG(educ) AS educ FROM people", 'covers = "population"', "guaranteed = true")
        number = record["statistics"][0]["rows"][0]["educ"]
        self.assertEqual((number["covers"], number["coverage"]), ("bounded-population", "proven"))

    def test_spreads_proportions_quantiles_and_sums_have_one(self):
        row = self.released("SELECT STDDEV(educ) AS sd, SUM(educ) AS total, MEDIAN(educ) AS median, "
                            "AVG(CASE WHEN educ > 8 THEN 1 ELSE 0 END) AS share FROM people",
                            'covers = "population"', "simultaneous = true")["statistics"][0]["rows"][0]
        for name, value in (("sd", 4.61), ("total", 2001 * 8.5 / 0.02), ("median", 8.5), ("share", 0.5)):
            self.assertEqual((row[name]["covers"], row[name]["simultaneous"]), ("bounded-population", True))
            self.assertLessEqual(row[name]["interval"][0], value * 1.05)
            self.assertGreaterEqual(row[name]["interval"][1], value * 0.95)

    def test_all_at_once_are_wider_and_meet_targets_for_all(self):
        sql = "SELECT region, COUNT(*) AS n FROM people GROUP BY region"
        self.file("study.toml", HEAD + statistic(sql))
        alone = self.json("plan", "study.toml")["statistics"][0]["releases"][0]
        self.file("study.toml", HEAD + statistic(sql, "simultaneous = true"))
        release = self.json("plan", "study.toml")["statistics"][0]["releases"][0]
        self.assertGreater(release["accuracy"], alone["accuracy"])
        self.assertTrue(release["simultaneous"])
        self.assertNotIn("simultaneous", alone)
        self.assertIn("hold at once", self.text("plan", "study.toml"))
        record = self.released(sql, "simultaneous = true", "accuracy = { n = 40 }")
        self.assertLessEqual(record["statistics"][0]["releases"][0]["accuracy"], 40)
        self.assertTrue(all(row["n"]["simultaneous"] for row in record["statistics"][0]["rows"]))
        self.assertIn("hold at once", self.content(os.path.join("out", "report.html")))

    def test_private_groups_hold_at_once_too(self):
        record = self.released("SELECT town, COUNT(*) AS n, AVG(educ) AS e FROM people GROUP BY town",
                               "simultaneous = true")
        self.assertEqual(len(record["statistics"][0]["rows"]), 2)

    def test_private_groups_that_share_members_are_not_told_of_at_once(self):
        sql = "SELECT town, COUNT(educ) AS n, AVG(educ) AS e FROM people GROUP BY town"
        shared = ('covers = "population"', "max_groups = 2")
        for keys, statement in ((("simultaneous = true",), sql), (('differences = [["Aville", "Btown"]]',), sql),
                                ((), sql + " ORDER BY n DESC LIMIT 1"), ((), sql + " HAVING COUNT(educ) > 100")):
            with self.subTest(keys=keys, sql=statement):
                self.assertIn("write max_groups = 1, or declare the keys", self.refused(*shared, *keys, sql=statement))
        self.released(sql, *shared)  # each group by itself

    def test_an_alpha_of_its_own_is_said_wherever_a_margin_is_shown(self):
        both = (statistic("SELECT COUNT(*) AS n FROM people", "alpha = 0.5") +
                statistic("SELECT COUNT(educ) AS m FROM people").replace('"s"', '"other"'))
        for text, several, all_of in ((both, True, "50 % or 95 %"),
                                      (statistic("SELECT COUNT(*) AS n FROM people", "alpha = 0.5"), True, "50 %"),
                                      (statistic("SELECT COUNT(*) AS n FROM people"), False, "95 %")):
            with self.subTest(all_of=all_of):
                self.file("study.toml", HEAD.replace("epsilon = 2", "epsilon = 0.5") + text)
                plan = self.text("plan", "study.toml")
                self.assertRegex(plan, rf"confidence +{all_of} +of " + ("the ± below, as each" if several else "every ±"))
                out = f"out-{all_of[:2]}-{several}-{len(text)}"
                self.assertEqual(self.json("plan", "study.toml")["statistics"][0].get("alpha"), 0.5 if several else None)
                answer = self.text("release", "study.toml", "--out", out)
                self.assertIn(f"± holds for each number with probability {all_of};", answer)
                self.assertEqual("with probability 50 %, by an alpha of its own" in answer, several)
                page = self.content(os.path.join(out, "report.html"))
                self.assertIn(f"for each number by itself {all_of} of the time", page)
                self.assertEqual("50 % interval" in page, several)

    def test_an_alpha_that_is_next_to_nothing_is_refused(self):
        """A variance divides its alpha; at 1e-300 the parts had no meaning, and the interval was too short."""
        for head in ("alpha = 1e-300\n", "alpha = 9e-201\n"):
            self.file("study.toml", head + HEAD + statistic("SELECT VARIANCE(educ) AS v FROM people"))
            self.assertIn("must be between 1e-200 and 0.5", run("plan", "study.toml").stderr)
        done = run("query", "--catalog", "catalog.toml", "SELECT VARIANCE(educ) AS v FROM people", "--epsilon", "1",
                   "--alpha", "1e-299")
        self.assertIn("must be between 1e-200 and 0.5", done.stderr)
        self.file("study.toml", "alpha = 1e-200\n" + HEAD + statistic("SELECT AVG(educ) AS e, VARIANCE(educ) AS v, SUM(educ) AS s FROM people"))
        self.text("release", "study.toml", "--out", "out")

    def test_what_cannot_be_is_refused_before_anything_is_read(self):
        self.assertIn("max_rows = 1", self.refused('covers = "population"', "max_rows = 2"))
        self.assertIn("even without noise", self.refused('covers = "population"', "accuracy = { educ = 0.1 }"))
        self.assertIn("a sample tells nothing",
                      self.refused('covers = "population"', sql="SELECT MAX(educ) AS m FROM people"))
        self.assertIn("must be sample or population", self.refused('covers = "everybody"'))
        self.assertIn("must be true or false", self.refused('simultaneous = "yes"'))
        self.file("catalog.toml", CATALOG)
        self.assertIn("such as sampled = 0.01", self.refused('covers = "population"'))
        for part in ("0", "1.5", '"half"', "1e-10"):
            self.file("catalog.toml", CATALOG.replace("row_limit", f"sampled = {part}\nrow_limit"))
            self.assertIn("sampled of the table 'people' must be ", self.refused())

    def test_a_changed_word_is_refused(self):
        answer = self.released(MEANS, 'covers = "population"')
        text = self.content(os.path.join("out", "release.json"))
        for old, new in (('"covers":"bounded-population"', '"covers":"population"'), ('"sampled":"1/50"', '"sampled":"1/51"')):
            self.file("changed.json", text.replace(old, new, 1))
            self.assertNotEqual(self.content("changed.json"), text)
            self.assertEqual(run("verify", "changed.json").returncode, 1)
        self.assertEqual(answer["certificate"]["statistics"][0]["inference"]["covers"], "population")


if __name__ == "__main__":
    unittest.main()
