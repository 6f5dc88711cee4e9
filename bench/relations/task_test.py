"""The benchmark of relations, without measuring anything: `python3 -m unittest bench.relations.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.relations import cases, task

GONE = "/no/such/program"


class Relations(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, PYTHON=GONE):
            relations = task.relations(quick=True)
            report = harness.report(relations, harness.run(relations, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 3)

    def test_a_larger_error_than_a_quarter_of_a_peers_misses_its_target_alone(self):
        relations = task.relations(quick=False)
        figures = {("vernier", case.name): 1.0 for case in relations.cases}
        figures |= {(who, name): 5.0 for who in task.PEERS for name in task.names("error")}
        self.assertTrue(harness.report(relations, figures)["targets_met"])
        worse = cases.name("error", 2500)
        report = harness.report(relations, figures | {("adassp", worse): 3.9})
        self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [worse])


class Cases(unittest.TestCase):
    def test_a_line_is_read_as_it_was_written(self):
        self.assertEqual(cases.parse(cases.line("error", 2500)), ("error", 2500, 1.0))

    def test_values_go_together(self):
        data = cases.values(1000)
        self.assertTrue(all(0 <= x <= cases.X_STEPS and 0 <= y <= cases.Y_STEPS for x, y in data))
        self.assertAlmostEqual(cases.exact(1000), 0.5, delta=0.05)


if __name__ == "__main__":
    unittest.main()
