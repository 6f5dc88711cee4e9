"""The Python task, without measuring anything: `python3 -m unittest bench.python.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.python import cases, task

GONE = "/no/such/program"


class Python(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, CORE=GONE, PYTHON=GONE):
            asked = task.python(quick=True)
            report = harness.report(asked, harness.run(asked, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual([target["value"] for target in report["targets"]], [None] * 4)
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 4)

    def test_the_goals_are_those_that_were_set(self):
        self.assertEqual([target.goal for target in task.python(quick=False).targets], [5, 5, 2, 0.9])

    def test_known_figures_meet_the_targets_or_not(self):
        asked = task.python(quick=False)
        figures = {("core", name): 10.0 for name in cases.ALL} | {("opendp_wheel", name): 40.0 for name in cases.CONVERT}
        ours = {("package", name): 11.0 if name in cases.DRAW else 15.0 for name in cases.ALL}
        self.assertTrue(harness.report(asked, figures | ours)["targets_met"])
        for name in cases.ALL:
            report = harness.report(asked, figures | ours | {("package", name): 15.1})
            self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [name], name)

    def test_lines_are_read_as_they_were_written(self):
        self.assertEqual(cases.parse("calibrate gaussian epsilon=1 delta=1e-6"), ("calibrate", "gaussian", {"epsilon": 1, "delta": 1e-6}))
        self.assertEqual(cases.parse("convert gaussian_scale_to_accuracy 20.3 0.05"), ("convert", "gaussian_scale_to_accuracy", [20.3, 0.05]))
        self.assertEqual(cases.parse(cases.DRAW["1e6 draws, laplace 1"]), ("draw", "laplace", [1]))
        self.assertEqual({cases.parse(line)[0] for line in cases.ALL.values()}, {"calibrate", "convert", "draw"})


if __name__ == "__main__":
    unittest.main()
