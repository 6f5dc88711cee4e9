"""`vernier audit` as a user runs it. Usage: audit_test.py PROGRAM

A sound program is refuted with probability 1e-6 at most, and told to lack power as seldom: trials are sized for that.
"""
import json
import os
import unittest

from program import FolderTest, run

SECTIONS = ["laws", "twins", "coverage", "ledger", "mutants"]


class Audit(FolderTest):
    def test_it_refutes_nothing_has_power_and_leaves_a_page(self):
        done = run("audit", "--minutes", "0.1", "--json", "--out", "page.html")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = json.loads(done.stdout)
        self.assertEqual([section["name"] for section in answer["sections"]], SECTIONS)
        self.assertEqual((answer["refuted"], answer["lacks_power"]), (False, False))
        self.assertEqual(len(answer["engines"]), 1)
        self.assert_sections(answer)
        self.assert_page(answer)
        self.assertEqual(os.listdir("."), ["page.html"], "nothing else is left here")

    def assert_sections(self, answer):
        findings = {section["name"]: section["findings"] for section in answer["sections"]}
        for name in SECTIONS[:4]:
            self.assertEqual({finding["verdict"] for finding in findings[name]}, {"stands"}, findings[name])
        self.assertLessEqual(sum(len(some) for some in findings.values()), 100, "the level is divided by so many")
        self.assertGreaterEqual(len(findings["laws"]), 12)
        self.assertEqual(len(findings["ledger"]), 5)
        bounds = [finding for finding in findings["twins"] if finding["of"] in ("guesses", "choices")]
        self.assertEqual([finding["claim"] for finding in bounds if finding["of"] == "choices"], ["MEDIAN(x), exponential law"])
        self.assertEqual(len(bounds), 9)
        own = [finding["claim"] for finding in findings["twins"] if "have noise of their own" in finding["claim"]]
        self.assertEqual((sum("two numbers" in one for one in own), sum("two groups" in one for one in own)), (3, 9))
        for finding in bounds:
            self.assertLessEqual(finding["found"], finding["claimed"], finding)
            self.assertGreaterEqual(finding["found"], 0.8 * finding["claimed"], finding)
        self.assertEqual({finding["verdict"] for finding in findings["mutants"]}, {"not tried"})
        self.assertEqual([mutant["number"] for mutant in answer["mutants"]], list(range(1, 41)))

    def assert_page(self, answer):
        page = self.content("page.html")
        self.assertIn("Nothing is refuted", page)
        self.assertIn("Vernier " + answer["version"], page)
        self.assertIn(answer["engines"][0], page)
        self.assertIn(answer["date"][:10], page)
        self.assertNotIn("<script", page)
        for section in answer["sections"]:
            for finding in section["findings"]:
                self.assertIn(finding["claim"].replace("'", "&#39;"), page.replace("&apos;", "&#39;"))

    def test_wrong_words_are_told_in_one_sentence_before_anything_is_tried(self):
        self.file("there.html", "mine")
        for words, saying in ((["--minutes", "0"], "--minutes must be from 0.1"),
                              (["--minutes", "ten"], "--minutes"),
                              (["--minutes", "1e9"], "--minutes must be from 0.1"),
                              (["--out", "there.html"], "exists already"),
                              (["--out", "nowhere/page.html"], "there is no folder 'nowhere'"),
                              (["--mutants", "nowhere"], "there is no folder 'nowhere'"),
                              (["--minuets", "1"], "did you mean --minutes?")):
            with self.subTest(words):
                self.assert_refused(["audit", *words], saying=saying)
        self.assertEqual(self.content("there.html"), "mine")

    def test_help_has_an_example(self):
        self.assertIn("vernier audit --minutes 60 --out audit.html", self.text("audit", "--help"))


if __name__ == "__main__":
    unittest.main()
