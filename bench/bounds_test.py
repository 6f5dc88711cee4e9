"""Both ends of answers, on contenders whose answers are known: `python3 -m unittest bench.bounds_test`."""

import json
import sys
import unittest

from bench.bounds import ABOVE, BELOW, CROSSED, judged
from bench.contender import Contender
from bench.harness import Case, Task
from bench.main import measured
from bench.table import table
from bench.targets import GapTarget

ANSWERS = """
import sys
print("ready", flush=True)
for line in sys.stdin:
    print({answers!r}.get(line.strip(), "none"), flush=True)
"""
CASES = Case("short", "us", less_is_better=True, line="1"), Case("long", "us", less_is_better=True, line="2")


def answering(name, **answers):
    """A contender that is asked "1" and "2"; `bounds_1` stands for "bounds 1"."""
    said = {key.replace("_", " ").strip(): answer for key, answer in answers.items()}
    return Contender(name, [sys.executable, "-c", ANSWERS.format(answers=said)])


def found(*contenders, reference=None, targets=()):
    sentences = []
    reference = reference or answering("exact", value_1="2.5")
    task = Task("trial", CASES, contenders, tuple(targets), 1, reference=reference, has_bounds=True)
    return task, measured(task, sentences.append), sentences


class Judged(unittest.TestCase):
    def test_an_interval_has_a_gap(self):
        entry = judged("2 2.5", None)
        self.assertEqual((entry["lower"], entry["upper"], entry["gap"], entry["verdict"]), (2, 2.5, 0.5, None))

    def test_a_lower_end_may_be_missing(self):
        entry = judged("- 2.5", "2")
        self.assertEqual((entry["lower"], entry["gap"], entry["overclaim"], entry["verdict"]), (None, None, -0.25, None))

    def test_an_end_on_the_wrong_side_is_named(self):
        for answer, exact, verdict in (
            ("1 3", "2", None),
            ("1 3", "4", BELOW),
            ("1 3", "0.5", ABOVE),
            ("3 1", None, CROSSED),
            ("- 3", "4", BELOW),
        ):
            self.assertEqual(judged(answer, exact)["verdict"], verdict)

    def test_a_rounding_is_not_blamed_but_told(self):
        entry = judged("1 3.9999999999999996", "4")
        self.assertEqual((entry["verdict"], entry["overclaim"]), (None, 2**-53))
        self.assertEqual(judged("1 3.99999999", "4")["verdict"], BELOW)

    def test_no_number_is_an_answer_too(self):
        entry = judged("1 inf", "2")
        self.assertEqual((entry["upper"], entry["gap"], entry["verdict"]), (None, None, "says 1 inf"))


class Bounds(unittest.TestCase):
    def test_they_lie_beside_the_exact_value_in_the_report(self):
        _, report, _ = found(answering("ours", _1="5", bounds_1="2 3", _2="6", bounds_2="7 8"))
        shown = [(entry["case"], entry["exact"], entry["gap"]) for entry in report["bounds"]]
        self.assertEqual(shown, [("short", "2.5", 1), ("long", None, 1)])
        json.dumps(report, allow_nan=False)

    def test_only_who_was_timed_is_asked(self):
        _, report, _ = found(answering("ours", _1="5", bounds_1="2 3"), answering("peer", bounds_1="0 9"))
        self.assertEqual([(e["contender"], e["case"]) for e in report["bounds"]], [("ours", "short")])

    def test_targets_look_at_them(self):
        for goal, met in ((0.4, True), (0.3, False)):
            _, report, _ = found(answering("ours", _1="5", bounds_1="2 3"), targets=[GapTarget("gap", goal, ("short",))])
            self.assertEqual(report["targets_met"], met)

    def test_one_that_is_lost_when_timed_is_not_asked(self):
        _, report, sentences = found(answering("ours", _1="5", bounds_1="2 3", _2="nonsense"))
        self.assertEqual(report["bounds"], [])
        self.assertRegex(sentences[-1], "ours is left out from long on")

    def test_without_a_reference_there_are_no_exact_values_and_that_is_said(self):
        gone = Contender("exact", ["exact"], needs="/no/such/file")
        _, report, sentences = found(answering("ours", _1="5", bounds_1="2 3"), reference=gone)
        self.assertEqual([entry["exact"] for entry in report["bounds"]], [None])
        self.assertRegex(sentences[-1], "exact is asked no values: it is not set up")

    def test_the_table_shows_them(self):
        ours = answering("ours", _1="5", bounds_1="2.25 2.75", _2="6", bounds_2="7 8")
        task, report, _ = found(ours, answering("peer", _1="5", bounds_1="- 2"), answering("last", _2="5", bounds_2="1 inf"))
        expected = (
            "upper end (gap to the lower)  exact  ours            peer                                     last\n"
            "short                           2.5  2.75 (5.0e-01)  2 (no lower end, below the exact value)  -\n"
            "long                              -  8 (1.0e+00)     -                                        says 1 inf"
        )
        self.assertIn(expected, table(task, report))


if __name__ == "__main__":
    unittest.main()
