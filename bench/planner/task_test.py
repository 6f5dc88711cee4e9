"""The benchmark of the planner, without its program: `python3 -m unittest bench.planner.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.planner import cases, task


class Planner(unittest.TestCase):
    def test_without_its_optimiser_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.object(task, "PYTHON", "/no/such/program"):
            planner = task.planner(quick=True)
            report = harness.report(planner, harness.run(planner, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))

    def test_every_case_counts_for_exactly_one_target(self):
        planner = task.planner(quick=False)
        judged = [name for target in planner.targets for name in target.cases]
        self.assertEqual(sorted(judged), sorted(case.name for case in planner.cases))
        self.assertGreaterEqual(len(judged), 200)

    def test_one_study_that_is_too_dear_misses_its_target_alone(self):
        planner = task.planner(quick=False)
        least = {("vernier", case.name): 1.0 for case in planner.cases}
        self.assertTrue(harness.report(planner, least)["targets_met"])
        dear = cases.name("repeated", 3)
        report = harness.report(planner, least | {("vernier", dear): 1.02})
        self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [dear])

    def test_a_study_says_what_must_be_measured_once(self):
        study = cases.Study("repeated", 3)
        self.assertEqual(study.items, [(min(target for _, target in study.statements), 1, 1)])
        self.assertEqual(len(cases.Study("exclusive", 1).items), 2)
        self.assertIn('sql = "SELECT COUNT(*) AS n FROM people"', study.text("catalog.toml"))


if __name__ == "__main__":
    unittest.main()
