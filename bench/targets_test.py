"""Targets that look at intervals or at pairs of cases, on known figures: `python3 -m unittest bench.targets_test`."""

import unittest

from bench.bounds import judged
from bench.targets import BeyondTarget, GapTarget, GrowthTarget, Measured, SoundTarget, TighterTarget, TimesTarget


def intervals(ours, peer=(), exact=()):
    """{case: "LOWER UPPER"} of two contenders, with the exact values that are known."""
    exact = dict(exact)
    entries = {("ours", case): judged(answer, exact.get(case)) for case, answer in dict(ours).items()}
    entries |= {("peer", case): judged(answer, exact.get(case)) for case, answer in dict(peer).items()}
    return Measured("ours", {}, {}, entries)


class Growth(unittest.TestCase):
    target = GrowthTarget("no dearer", 2.0, 10.0, {"hard": "easy", "harder": "easy"})

    def judged(self, **figures):
        return self.target.judge(Measured("ours", {("ours", case): figure for case, figure in figures.items()}, {}, {}))

    def test_the_worst_pair_decides_after_the_slack(self):
        verdict = self.judged(easy=100.0, hard=110.0, harder=210.0)
        self.assertEqual((verdict["value"], verdict["met"], verdict["case"]), (2.0, True, "harder"))
        self.assertFalse(self.judged(easy=100.0, hard=211.0, harder=110.0)["met"])

    def test_within_the_slack_nothing_is_dear(self):
        self.assertEqual(self.judged(easy=0.1, hard=9.0, harder=10.0)["value"], 0)

    def test_it_needs_both_cases_of_a_pair(self):
        for figures in ({"easy": 1.0, "hard": 1.0}, {"hard": 1.0, "harder": 1.0}):
            verdict = self.judged(**figures)
            self.assertEqual((verdict["value"], verdict["met"]), (None, False))


class Beyond(unittest.TestCase):
    target = BeyondTarget("little more", 5.0, "core", ("a", "b"))

    def judged(self, **ours):
        figures = {("core", "a"): 1.0, ("core", "b"): 10.0} | {("ours", case): figure for case, figure in ours.items()}
        return self.target.judge(Measured("ours", figures, {}, {}))

    def test_the_worst_difference_decides(self):
        verdict = self.judged(a=6.0, b=11.0)
        self.assertEqual((verdict["value"], verdict["met"], verdict["case"]), (5.0, True, "a"))
        self.assertFalse(self.judged(a=1.0, b=15.1)["met"])
        self.assertLess(self.judged(a=0.5, b=9.0)["value"], 0)

    def test_it_needs_both_figures(self):
        self.assertEqual((self.judged(a=1.0)["value"], self.judged(a=1.0)["met"]), (None, False))


class Times(unittest.TestCase):
    target = TimesTarget("not much slower", 1.5, "peer", ("a", "b"))

    def judged(self, **theirs):
        figures = {("ours", "a"): 3.0, ("ours", "b"): 6.0} | {("peer", case): figure for case, figure in theirs.items()}
        return self.target.judge(Measured("ours", figures, {}, {}))

    def test_the_worst_case_decides(self):
        verdict = self.judged(a=3.0, b=4.0)
        self.assertEqual((verdict["value"], verdict["met"], verdict["case"]), (1.5, True, "b"))
        self.assertFalse(self.judged(a=1.9, b=6.0)["met"])

    def test_it_needs_the_other_contender_in_every_case(self):
        verdict = self.judged(a=3.0)
        self.assertEqual((verdict["value"], verdict["met"]), (None, False))


class Sound(unittest.TestCase):
    target = SoundTarget("beyond", ("a", "b"))
    exact = {"a": "2", "b": "4"}

    def test_both_ends_count_and_nothing_is_forgiven(self):
        for a, b, value in (("1 3", "3 5", -0.25), ("1 3", "3 3.5", 0.125), ("3 3.5", "3 5", 0.5)):
            verdict = self.target.judge(intervals({"a": a, "b": b}, exact=self.exact))
            self.assertEqual((verdict["value"], verdict["met"]), (value, value <= 0))
        rounding = self.target.judge(intervals({"a": "1 1.9999999999999998", "b": "3 5"}, exact=self.exact))
        self.assertFalse(rounding["met"])

    def test_it_needs_the_exact_value(self):
        verdict = self.target.judge(intervals({"a": "1 3", "b": "3 5"}, exact={"a": "2"}))
        self.assertEqual((verdict["value"], verdict["met"]), (None, False))


class Gap(unittest.TestCase):
    target = GapTarget("gap", 0.25, ("a", "b"))

    def test_the_widest_interval_decides(self):
        for b, met in (("3 4", True), ("2.9 4", False)):
            verdict = self.target.judge(intervals({"a": "1.9 2", "b": b}))
            self.assertEqual((verdict["met"], verdict["case"]), (met, "b"))

    def test_no_lower_end_is_no_interval(self):
        self.assertFalse(self.target.judge(intervals({"a": "1.9 2", "b": "- 4"}))["met"])

    def test_an_interval_that_misses_the_exact_value_is_none(self):
        self.assertFalse(self.target.judge(intervals({"a": "1.9 2", "b": "4 4"}, exact={"b": "5"}))["met"])


class Tighter(unittest.TestCase):
    target = TighterTarget("tighter", "peer", ("a", "b"))

    def judged(self, ours, peer, exact=()):
        return self.target.judge(intervals({"a": "0 1", "b": ours}, {"a": "0 4", "b": peer}, exact))

    def test_the_worst_share_decides(self):
        for ours, value, met in (("1 2", 0.5, True), ("0 2", 1.0, False), ("-1 2", 1.5, False)):
            verdict = self.judged(ours, "0 2")
            self.assertEqual((verdict["value"], verdict["met"], verdict["case"]), (value, met, "b"))

    def test_an_interval_of_theirs_that_holds_nothing_counts_as_wide(self):
        self.assertTrue(self.judged("0 2", "1.5 1.4")["met"])
        self.assertTrue(self.judged("0 2", "0 0.9", {"b": "1"})["met"])
        self.assertFalse(self.judged("0 2", "0 1.1", {"b": "1"})["met"])

    def test_ends_that_agree_count_as_a_rounding_apart(self):
        self.assertFalse(self.judged("1 2", "2 2")["met"])
        self.assertTrue(self.judged("1.9999999999999998 2", "2 2")["met"])

    def test_an_interval_of_ours_that_holds_nothing_is_never_tighter(self):
        verdict = self.judged("1.8 1.9", "0 4", {"b": "2"})
        self.assertEqual((verdict["value"], verdict["met"]), (None, False))

    def test_both_need_a_lower_end(self):
        for ours, peer in (("- 2", "0 2"), ("1 2", "- 2")):
            self.assertEqual(self.judged(ours, peer)["value"], None)


if __name__ == "__main__":
    unittest.main()
