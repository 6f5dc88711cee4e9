"""The benchmark of series, without its program: `python3 -m unittest bench.series.task_test`."""

import unittest

from bench import harness
from bench.series import cases, peers, task


class Series(unittest.TestCase):
    def test_the_tree_and_the_bound_are_those_of_the_literature(self):
        long, short, often, _ = cases.LINES
        self.assertAlmostEqual(peers.answer("tree", long), 7.417, places=2)
        self.assertAlmostEqual(peers.answer("bound", long), 2.9096, places=4)
        self.assertAlmostEqual(peers.answer("own", often), 104.64, places=2)
        self.assertEqual(peers.answer("dense", short), 2.5250)
        self.assertIsNone(peers.answer("dense", long))

    def test_a_figure_that_is_too_large_misses_its_target(self):
        series = task.series(quick=True)
        long, short, often, _ = cases.LINES
        figures = {("vernier", long): 2.99, ("vernier", short): 2.56, ("vernier", often): 60.4,
                   ("vernier", cases.EPSILON): 1.00001, **{("vernier", name): 9 for name in cases.MILLISECONDS},
                   ("nuclear bound", long): 2.9096, ("jax-privacy dense", short): 2.525}
        self.assertTrue(harness.report(series, figures)["targets_met"])
        for case, figure in ((long, 3.1), (short, 2.6), (often, 61), (cases.EPSILON, 1.0002),
                             *((name, 51) for name in cases.MILLISECONDS)):
            report = harness.report(series, figures | {("vernier", case): figure})
            self.assertEqual([target["case"] for target in report["targets"] if not target["met"]], [case])


if __name__ == "__main__":
    unittest.main()
