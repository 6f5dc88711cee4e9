"""The quantile task, without running any contender: `python3 -m unittest bench.quantile.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.quantile import task
from bench.quantile.cases import exceeded_by_five_in_a_hundred, kind_and_fraction, neighbour

GONE = "/no/such/program"


class Quantile(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, PYTHON=GONE):
            quantile = task.quantile(quick=True)
            report = harness.report(quantile, harness.run(quantile, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual([target["value"] for target in report["targets"]], [None] * 7)
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 3)

    def test_every_fraction_has_its_error_and_its_time(self):
        names = [case.name for case in task.quantile(quick=False).cases]
        self.assertEqual([kind_and_fraction(name) for name in names],
                         [(kind, p) for kind in ("rank error", "mean rank error", "time") for p in (0.5, 0.9, 0.99)])

    def test_fractions_are_around_the_one_that_is_asked_with_four_decimals(self):
        fractions = [neighbour(0.99, draw) for draw in range(40)]
        self.assertEqual((min(fractions), max(fractions), len(set(fractions))), (0.989, 0.9909, 20))

    def test_the_error_that_few_pass_lies_within_its_rank(self):
        self.assertEqual(exceeded_by_five_in_a_hundred([1.0] * 90 + [2.0] * 10), 2.0)
        self.assertAlmostEqual(exceeded_by_five_in_a_hundred([1.0] * 94 + [2.0] * 6), 1.5 + 1 / 6)
        self.assertEqual(exceeded_by_five_in_a_hundred([0.0] * 100), 0.5)

    def test_a_tenth_of_a_percent_of_the_rows_is_a_thousand_ranks(self):
        self.assertEqual(task.quantile(quick=False).targets[0].goal, 1000)


if __name__ == "__main__":
    unittest.main()
