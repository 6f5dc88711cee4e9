"""The benchmark of statistics, without measuring anything: `python3 -m unittest bench.statistics.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.statistics import cases, task

GONE = "/no/such/program"


class Statistics(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, PYTHON=GONE):
            statistics = task.statistics(quick=True)
            report = harness.report(statistics, harness.run(statistics, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 2)

    def test_every_case_counts_for_exactly_one_target(self):
        statistics = task.statistics(quick=False)
        judged = [name for target in statistics.targets for name in target.cases]
        self.assertEqual(sorted(judged), sorted(case.name for case in statistics.cases))

    def test_a_larger_error_than_the_peers_misses_its_target_alone(self):
        statistics = task.statistics(quick=False)
        equal = {(who, case.name): 2.0 for who in ("vernier", "google") for case in statistics.cases}
        self.assertTrue(harness.report(statistics, equal)["targets_met"])
        worse = cases.name("people", 1000, "1")
        report = harness.report(statistics, equal | {("vernier", worse): 2.2})
        self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [worse])


class Cases(unittest.TestCase):
    def test_a_line_is_read_as_it_was_written(self):
        self.assertEqual(cases.parse(cases.line("stddev", 1000, "0.1")), ("stddev", 1000, 0.1))

    def test_exact_answers_are_those_of_the_values(self):
        data = cases.values(1000)
        self.assertTrue(0 < min(data) and max(data) < cases.UPPER)
        # Of the cube of a uniform number: 1/7 - 1/16.
        self.assertAlmostEqual(cases.exact("variance", 1000) / cases.UPPER**2, 1 / 7 - 1 / 16, delta=0.001)
        self.assertAlmostEqual(cases.exact("stddev", 1000) ** 2, cases.exact("variance", 1000), delta=1)
        self.assertEqual(cases.exact("people", 1000), 1000)


if __name__ == "__main__":
    unittest.main()
