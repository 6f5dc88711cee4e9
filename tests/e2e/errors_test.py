"""Errors as people and programs meet them: in parts, spelled for the command line, all at once. Usage: errors_test.py PROGRAM"""
import json
import unittest

from program import run
from studies import StudyTest

BROKEN = """catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "no column"
sql = "SELECT COUNT(*) AS people FROM people WHERE age > 3"

[[statistic]]
name = "in order"
sql = "SELECT COUNT(*) AS people FROM people"

[[statistic]]
name = "no target"
sql = "SELECT COUNT(*) AS people FROM people"
accuracy = { persons = 50 }

[[statistic]]
name = "no grammar"
sql = "SELECT COUNT(*) OVER () FROM people"
"""


class Errors(StudyTest):
    def error(self, *words, code=2):
        """The object that is printed with --json, whose sentence stands on standard error as well."""
        done = run(*words, "--json")
        self.assertEqual(done.returncode, code, done)
        self.assertEqual(done.stdout.count("\n"), 1)
        error = json.loads(done.stdout)["error"]
        self.assertEqual(done.stderr.splitlines()[0], "vernier: " + error["sentence"].splitlines()[0])
        return error

    def test_a_wrong_value_is_told_in_parts(self):
        error = self.error("calibrate", "laplace", "--epsilon", "0")
        self.assertEqual((error["kind"], error["subject"]), ("invalid", "--epsilon"))
        self.assertEqual(error["problem"], "must be a number between 1e-10 and 10000, but it is 0")
        self.assertEqual(error["sentence"], "--epsilon must be a number between 1e-10 and 10000, but it is 0")

    def test_what_fails_without_a_wrong_word_has_another_kind_and_code(self):
        self.assertEqual(self.error("plan", "none.toml", code=1)["kind"], "system")

    def test_words_that_cannot_be_read_are_told_so_too(self):
        self.assertIn("--epsilom", self.error("calibrate", "laplace", "--epsilom", "1")["sentence"])

    def test_without_json_nothing_is_on_standard_output(self):
        self.assert_refused(["calibrate", "laplace", "--epsilon", "0"], saying="vernier: --epsilon must be")

    def test_a_statement_has_its_caret_in_the_details(self):
        error = self.error("query", "SELECT COUNT(*) OVER () FROM people", "--catalog", "catalog.toml", "--epsilon", "0.1")
        self.assertEqual(error["details"], ["SELECT COUNT(*) OVER () FROM people", error["details"][1]])
        self.assertEqual(error["details"][1].strip(), "^")
        self.assertNotIn("place", error)

    def test_all_problems_of_a_study_are_told_at_once(self):
        self.file("broken.toml", BROKEN)
        for command in ("plan", "release"):
            error = self.error(command, "broken.toml")
            all_of_them = [error, *error["others"]]
            self.assertEqual([one["place"]["line"] for one in all_of_them], [6, 15, 19])
            self.assertEqual({one["place"]["file"] for one in all_of_them}, {"broken.toml"})
            self.assertIn("age", error["sentence"])
            self.assertIn("persons", all_of_them[1]["sentence"])
            self.assertIn("OVER", all_of_them[2]["sentence"])
            lines = run(command, "broken.toml").stderr.splitlines()
            self.assertEqual(sum(line.startswith("vernier: broken.toml:") for line in lines), 3)

    def test_all_problems_of_a_file_are_told_at_once(self):
        self.break_file("study.toml", "max_rows = 2", "max_rows = -2\nmax_row = 1")
        self.break_file("study.toml", "epsilon = 1.0", "epsilon = -1.0")
        error = self.error("plan", "study.toml")
        self.assertEqual([one["place"]["line"] for one in [error, *error["others"]]], [2, 9, 10])
        self.assertEqual(error["subject"], "epsilon of the budget")


if __name__ == "__main__":
    unittest.main()
