"""`vernier plan` as a user runs it: no data file is opened, nothing is spent. Usage: plan_test.py PROGRAM"""
import os
import unittest
import xml.etree.ElementTree as xml

from program import run
from studies import StudyTest


class Plan(StudyTest):
    def setUp(self):
        super().setUp()
        os.remove("people.csv")  # a plan is a function of catalog and study

    def test_it_tells_law_scale_accuracy_and_share_of_every_column(self):
        text = self.text("plan", "study.toml")
        self.assertRegex(text, r"(?m)^Income by region +people +(geometric|discrete-gaussian) +[\d.]+ +± 50 +[█░]{10} +\d+ %$")
        self.assertRegex(text, r"(?m)^ +income +\S+ +\S+ +about ± [\d,.]+ +[█░]{10} +\d+ %$")
        self.assertIn("about: if a group has 1,000 rows", text)
        self.assertIn("3 public groups; all are published, empty or not", text)
        self.assertIn("one group of all rows", text)
        self.assertRegex(text, r"(?m)^epsilon +(1|0\.9\d+) +of the whole study, by [a-z-]+$")
        self.assertEqual(self.files().keys() & {"./catalog.ledger"}, set())

    def test_private_keys_have_a_threshold_and_a_forecast(self):
        answer = self.json("plan", "study.toml")
        groups = answer["statistics"][2]["groups"]
        self.assertFalse(groups["public"])
        self.assertGreater(groups["threshold"], 1)
        self.assertTrue(0 < groups["delta"] <= 1e-7)
        chances = [(point["units"], point["lower"], point["upper"]) for point in groups["forecast"]]
        self.assertEqual(chances, sorted(chances))
        for _, lower, upper in chances:
            self.assertTrue(0 <= lower <= upper <= 1)
        text = self.text("plan", "study.toml")
        self.assertRegex(text, r"is published where its number of units, with noise, is at least \d+")
        self.assertRegex(text, r"a group of [\d,]+ units appears with probability 0\.\d+")

    def test_it_draws_accuracy_against_epsilon(self):
        self.text("plan", "study.toml", "--plot", "accuracy.svg")
        root = xml.parse("accuracy.svg").getroot()
        texts = {text.strip() for text in root.itertext()}
        self.assertLessEqual({"Income by region: people", "Income by region: income", "all: total", "towns: people",
                              "this study", "the accuracy that was asked", "Accuracy against epsilon"}, texts)
        for element in root.iter():
            self.assertNotRegex((element.get("d") or "") + (element.get("cx") or ""), "nan|inf")
        self.text("plan", "study.toml", "--plot", "swept.svg", "--what-if", "epsilon=0.5:2:2")
        self.assertIn("0.5", {text.strip() for text in xml.parse("swept.svg").getroot().itertext()})

    def test_what_cannot_be_drawn_is_said(self):
        self.assert_nothing_spent(["plan", "study.toml", "--plot", "accuracy.png"], 2, ".svg")
        self.assert_nothing_spent(["plan", "study.toml", "--plot", "none/accuracy.svg", "--what-if", "epsilon=1:2:2"], 1,
                                  "cannot be written")

    def test_json_has_every_figure(self):
        answer = self.json("plan", "study.toml")
        self.assertEqual(list(answer), ["study", "unit", "neighbours", "guarantee", "alpha", "statistics", "ledger"])
        self.assertEqual((answer["unit"], answer["neighbours"], answer["alpha"]), ("id", "add-remove", 0.05))
        self.assertLessEqual(answer["guarantee"]["epsilon"], 1)
        self.assertEqual(answer["guarantee"]["delta"], 1e-7)
        releases = [release for statistic in answer["statistics"] for release in statistic["releases"]]
        self.assertAlmostEqual(sum(release["share"] for release in releases), 1)
        self.assertEqual(answer["statistics"][0]["groups"], {"public": True, "count": 3})
        self.assertLessEqual(releases[0]["accuracy"], 50)
        self.assertEqual((answer["ledger"]["exists"], answer["ledger"]["affordable"]), (False, True))
        self.assertEqual([amount["name"] for amount in answer["ledger"]["amounts"]], ["epsilon", "delta"])

    def test_it_is_the_same_every_time(self):
        self.assertEqual(self.text("plan", "study.toml", "--json"), self.text("plan", "study.toml", "--json"))

    def test_what_if_more_were_spent(self):
        answer = self.json("plan", "study.toml", "--what-if", "epsilon=0.5:3:4")
        points = answer["what_if"]
        self.assertEqual((points[0]["epsilon"], points[-1]["epsilon"], len(points)), (0.5, 3, 4))
        totals = [point["accuracies"][1]["total"] for point in points]
        self.assertEqual(totals, sorted(totals, reverse=True))
        self.assertGreater(totals[0], 2 * totals[-1])
        self.assertRegex(self.text("plan", "study.toml", "--what-if", "epsilon=0.5:3:4"),
                         r"(?m)^statistic +column +epsilon 0.5 +epsilon 0.909 +epsilon 1.65 +epsilon 3$")
        self.assert_refused(["plan", "study.toml", "--what-if", "salary=1:2:3"],
                            saying="--what-if goes over one of epsilon, delta, ")
        self.assert_refused(["plan", "study.toml", "--what-if", "epsilon=1:2:1000"], saying="from 2 to 100")

    def test_what_if_one_accuracy_or_the_delta_were_another(self):
        points = self.json("plan", "study.toml", "--what-if", "total=5000:50000:3")["what_if"]
        self.assertEqual([point["accuracy"] for point in points][::2], [5000, 50000])
        self.assertTrue(all(point["column"] == "total" for point in points))
        self.assertTrue(all(point["accuracies"][1]["total"] <= point["accuracy"] for point in points))
        known = [point["accuracies"][0]["income"] for point in points]
        self.assertEqual(known, sorted(known, reverse=True))
        points = self.json("plan", "study.toml", "--what-if", "delta=1e-9:1e-7:2")["what_if"]
        self.assertEqual([point["delta"] for point in points], [1e-9, 1e-7])
        self.assertGreaterEqual(points[0]["accuracies"][1]["total"], points[1]["accuracies"][1]["total"])
        self.assertRegex(self.text("plan", "study.toml", "--what-if", "towns.people=25:100:3"),
                         r"(?m)^what if towns.people had another accuracy\?$")

    def test_a_chance_to_miss_is_no_confidence(self):
        self.assert_refused(["plan", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--epsilon", "0.1",
                             "--alpha", "0.95"], saying="--alpha is the chance that an interval misses")

    def test_an_accuracy_in_percent_is_of_the_typical_size(self):
        self.break_file("study.toml", "accuracy = { people = 50 }", 'accuracy = { people = "5%" }\ntypical = { people = 1000 }')
        releases = self.json("plan", "study.toml")["statistics"][0]["releases"]
        self.assertLessEqual(releases[0]["accuracy"], 50)

    def test_a_statement_that_is_refused_is_shown_with_file_line_and_caret(self):
        self.break_file("study.toml", "WHERE educ >= 3", "WHERE town SIMILAR TO 'a%'")
        self.assert_refused(["plan", "study.toml"], saying="study.toml:13:7: ", lines=3)
        done = run("plan", "study.toml")
        _, statement, caret = done.stderr.splitlines()
        self.assertEqual(statement[caret.index("^"):][:7], "SIMILAR")

    def test_bad_studies_and_catalogs_are_one_sentence(self):
        for name, old, new, saying in (
                ("catalog.toml", "lower = 0, upper = 1000", "lower = 1000, upper = 0", "must be below upper"),
                ("catalog.toml", 'unit = "id"', 'unti = "id"', "the table 'people' has no unit"),
                ("study.toml", "max_rows = 2", "max_rows = 0", "max_rows"),
                ("study.toml", "AVG(income)", "AVG(town)", "AVG"),
                ("study.toml", "people = 50", "persons = 50", "persons"),
                ("study.toml", 'catalog = "catalog.toml"', 'catalog = "none.toml"', "none.toml")):
            with self.subTest(new):
                before = self.content(name)
                self.break_file(name, old, new)
                done = run("plan", "study.toml")
                self.file(name, before)
                self.assertIn(done.returncode, (1, 2))
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("vernier: "))
                self.assertIn(saying, done.stderr)

    def test_a_study_without_statistics(self):
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1.0 }\n')
        self.assert_refused(["plan", "study.toml"], saying="[[statistic]]")

    def test_a_target_that_the_budget_cannot_meet_tells_the_epsilon_that_would(self):
        self.break_file("study.toml", "people = 50", "people = 1")
        done = run("plan", "study.toml")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Avernier: the targets need epsilon \d+(\.\d+)? ")

    def test_wrong_words(self):
        self.assert_refused(["plan"], saying="the study is missing")
        self.assert_refused(["plan", "study.toml", "--whatif", "epsilon=1:2:3"], saying="did you mean --what-if?")
        self.assert_refused(["plan", "none.toml"], code=1, saying="none.toml")
        self.assertIn("vernier plan study.toml", self.text("plan", "--help"))


if __name__ == "__main__":
    unittest.main()
