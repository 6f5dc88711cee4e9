"""Errors against exact values, on contenders whose answers are known: `python3 -m unittest bench.errors_test`."""

import json
import sys
import unittest

from bench.contender import Contender
from bench.errors import Question, errors, relative_excess
from bench.harness import Task, report
from bench.table import table

ANSWERS = """
import sys
print("ready", flush=True)
for line in sys.stdin:
    print({answers!r}[line.strip()], flush=True)
"""
SIGMA, MARGIN = Question("sigma at 1", "sigma: 1", "under-noises"), Question("margin", "margin: 2", "overclaims")


def answering(name, *answers):
    said = dict(zip(("value sigma: 1", "value margin: 2"), answers))
    return Contender(name, [sys.executable, "-c", ANSWERS.format(answers=said)])


def found(reference, *contenders):
    sentences = []
    task = Task("trial", (), contenders, (), 1, (SIGMA, MARGIN), reference)
    return task, errors(task, sentences.append), sentences


class Errors(unittest.TestCase):
    exact = "4.000000000000000000000000000001"

    def test_an_excess_is_exact_and_has_a_sign(self):
        for answer, excess in (("5", 0.25), ("3.0", -0.25), ("4.0", -2.5e-31), ("0.0", -1)):
            self.assertAlmostEqual(relative_excess(answer, self.exact), excess, delta=1e-6 * abs(excess))

    def test_each_answer_lies_beside_the_exact_one(self):
        _, entries, _ = found(answering("exact", "4", "20"), answering("ours", "5", "20.0"), answering("peer", "4.0", "19"))
        self.assertEqual(
            [(e["contender"], e["case"], e["relative_excess"], e["verdict"]) for e in entries],
            [
                ("ours", "sigma at 1", 0.25, None),
                ("peer", "sigma at 1", 0, None),
                ("ours", "margin", 0, None),
                ("peer", "margin", -0.05, "overclaims"),
            ],
        )
        self.assertEqual((entries[0]["answer"], entries[0]["exact"]), ("5", "4"))

    def test_what_falls_short_by_a_rounding_is_not_blamed(self):
        for answer, verdict in (("3.9999999999999", None), ("3.99999999999", "under-noises")):
            _, entries, _ = found(answering("exact", "4", "20"), answering("peer", answer, "20"))
            self.assertEqual(entries[0]["verdict"], verdict)

    def test_no_number_is_an_answer_too(self):
        for answer, verdict in (("inf", "says inf"), ("nan", "says nan"), ("refuses OverflowError", "refuses")):
            _, entries, _ = found(answering("exact", "4", "20"), answering("peer", answer, "20"))
            self.assertEqual((entries[0]["relative_excess"], entries[0]["verdict"]), (None, verdict))
            json.dumps(entries, allow_nan=False)

    def test_a_question_that_a_contender_does_not_take_is_left_out(self):
        _, entries, sentences = found(answering("exact", "4", "20"), answering("peer", "none it has no sigma", "20"))
        self.assertEqual(([e["case"] for e in entries], sentences), (["margin"], []))

    def test_a_lost_contender_keeps_what_it_answered(self):
        _, entries, sentences = found(answering("exact", "4", "20"), answering("peer", "4"))
        self.assertEqual([e["case"] for e in entries], ["sigma at 1"])
        self.assertRegex(sentences[0], "peer is asked no more values: .*status 1")

    def test_without_a_reference_there_are_none_and_that_is_said(self):
        _, entries, sentences = found(Contender("exact", ["exact"], needs="/no/such/file"), answering("peer", "4", "20"))
        self.assertEqual(entries, [])
        self.assertRegex(sentences[0], "exact is asked no values: it is not set up")

    def test_the_table_shows_them(self):
        peers = answering("ours", "4.0000000001", "20"), answering("peer", "refuses it", "19"), answering("last", "none", "21")
        task, entries, _ = found(answering("exact", "4", "20"), *peers)
        expected = (
            "relative excess over the exact value  ours      peer                 last\n"
            "sigma at 1                            +2.5e-11  refuses              -\n"
            "margin                                +0.0e+00  -5.0e-02 overclaims  +5.0e-02"
        )
        self.assertIn(expected, table(task, report(task, {}) | {"errors": entries}))


if __name__ == "__main__":
    unittest.main()
