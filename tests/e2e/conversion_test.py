"""What a ledger takes for the conversion of divergences, once: announced, told, forbidden. Usage: conversion_test.py PROGRAM"""
import unittest

from studies import StudyTest

# Fifteen counts, which get Gaussian noise: 19 such studies fit into a budget of 5 by divergence, and 5 by their totals.
COUNTS = 'catalog = "catalog.toml"\nbudget = { epsilon = 1.0, delta = 1e-7 }\n' + "".join(
    f'[[statistic]]\nname = "above {k}"\nsql = "SELECT COUNT(*) AS people FROM people WHERE educ > {k}"\n' for k in range(1, 16))
TINY = ("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--epsilon", "1e-6")


class Conversion(StudyTest):
    def setUp(self):
        super().setUp()
        self.break_file("catalog.toml", "epsilon = 3.0", "epsilon = 5.0")
        self.file("counts.toml", COUNTS)

    def amounts(self, planned):
        return {one["name"]: one for one in planned["ledger"]["amounts"]}

    def test_a_small_question_takes_what_it_says_and_no_more(self):
        for budget in ("epsilon = 5.0", "epsilon = 1.0"):
            self.break_file("catalog.toml", "epsilon = 5.0", budget)
        answer = self.text(*TINY)
        self.assertIn("the ledger took epsilon 1e-06 and delta 0 for each id of people\n", answer)
        shown = self.json("ledger", "show", "catalog.toml")
        self.assertAlmostEqual(shown["spent"]["epsilon"], 1e-6, delta=1e-12)
        self.assertEqual((shown["spent"]["delta"], shown["charged"]["conversion"]["epsilon"]), (0, 0))
        self.assertEqual(self.json(*TINY)["certificate"]["charge"]["manner"], "total")

    def test_the_plan_says_apart_what_is_paid_once_and_what_it_buys(self):
        text = self.text("plan", "counts.toml")
        self.assertRegex(text, r"(?m)^amount +allowed +left +this study +and once$")
        self.assertRegex(text, r"(?m)^epsilon +5 +5 +0\.135\d* +2\.401\d*$")
        self.assertRegex(text, r"(?m)^delta +1e-06 +1e-06 +0 +5e-07$")
        self.assertIn("once: opens the conversion, which gives room for 19 such studies in place of 5; conversion = \"never\"", text)
        planned = self.json("plan", "counts.toml")
        amounts = self.amounts(planned)
        self.assertAlmostEqual(amounts["epsilon"]["price"] - amounts["epsilon"]["once"], 0.1352, delta=1e-3)
        self.assertEqual((planned["ledger"]["manner"], planned["ledger"]["room"]),
                         ("divergence", {"with_conversion": 19, "by_totals": 5}))

    def test_the_answer_says_it_too_and_later_ones_pay_it_no_more(self):
        text = self.text("release", "counts.toml", "--out", "first")
        self.assertRegex(text, r"(?m)^the ledger took epsilon 2\.536\d* and delta 5e-07 for each id of people, by divergence: epsilon "
                               r"2\.401\d* and delta 5e-07 of it once, to open the conversion, which gives room for 19 such studies "
                               r"in place of 5, and epsilon 0\.135\d* and delta 0 for this one$")
        charge = self.release("first")["certificate"]["charge"]
        self.assertEqual((charge["opening"]["room_with_conversion"], charge["opening"]["room_by_totals"]), (19, 5))
        self.text("verify", "first/release.json")
        self.assertIn("to open the conversion", self.content("first/report.html"))
        text = self.text("release", "counts.toml", "--out", "second")
        self.assertRegex(text, r"(?m)^the ledger took epsilon 0\.135\d* and delta 0 for each id of people, by divergence$")
        self.assertNotIn("opening", self.release("second")["certificate"]["charge"])
        self.text("verify", "second/release.json")
        self.assertIsNone(self.json("plan", "counts.toml")["ledger"]["room"])
        shown = self.text("ledger", "show", "catalog.toml")
        self.assertRegex(shown, r"(?m)^for the conversion +once +2\.401\d* +5e-07 ")
        self.assertRegex(shown, r"(?m)^protects    each id of people$")

    def test_as_many_follow_as_were_announced(self):
        self.break_file("catalog.toml", "epsilon = 5.0", "epsilon = 3.0")
        room = self.json("plan", "counts.toml")["ledger"]["room"]
        for i in range(room["with_conversion"]):
            self.text("release", "counts.toml", "--out", f"release-{i}")
        self.assert_refused(["release", "counts.toml"], code=1, saying="asks for more than is left")

    def test_the_steward_can_forbid_it(self):
        self.break_file("catalog.toml", "delta = 1e-6\n", 'delta = 1e-6\nconversion = "never"\n')
        planned = self.json("plan", "counts.toml")
        self.assertEqual((planned["ledger"]["manner"], planned["ledger"]["room"]), ("total", None))
        self.assertIn("the ledger took epsilon 1 and delta 1e-07 for each id of people\n", self.text("release", "counts.toml"))
        self.assertEqual(self.json("ledger", "show", "catalog.toml")["conversion"], "never")

    def test_and_ask_for_it_early(self):
        self.break_file("catalog.toml", "delta = 1e-6\n", 'delta = 1e-6\nconversion = "early"\n')
        self.assertIn("once, to open the conversion, which gives room for ", self.text(*TINY))


if __name__ == "__main__":
    unittest.main()
