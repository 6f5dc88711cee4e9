"""The benchmark of intervals, without measuring anything: `python3 -m unittest bench.intervals.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.intervals import cases, task


class Intervals(unittest.TestCase):
    def test_without_its_program_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.object(task, "VERNIER", "/no/such/program"):
            intervals = task.intervals(quick=True)
            report = harness.report(intervals, harness.run(intervals, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))

    def test_every_case_counts_for_exactly_one_target(self):
        intervals = task.intervals(quick=False)
        judged = [name for target in intervals.targets for name in target.cases]
        self.assertEqual(sorted(judged), sorted(case.name for case in intervals.cases))

    def test_one_kind_that_is_too_wide_misses_its_target_alone(self):
        intervals = task.intervals(quick=False)
        needed = {("vernier", case.name): 1.0 for case in intervals.cases}
        self.assertTrue(harness.report(intervals, needed)["targets_met"])
        wide = cases.name("sum", 60, "0.05")
        report = harness.report(intervals, needed | {("vernier", wide): 1.3})
        self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [wide])


if __name__ == "__main__":
    unittest.main()
