"""The benchmark of tables, without its program: `python3 -m unittest bench.tables.task_test`."""

import unittest

from bench import harness
from bench.tables import cases, peers, task


class Tables(unittest.TestCase):
    GOOD = {cases.GAP: 1e-7, cases.EPSILON: 1.000002, cases.REACH: 1.0023, cases.PRICE: 0.71, cases.PLAN: 0.5,
            cases.WIDE_PLAN: 5, cases.RELEASE: 1.2, cases.MEMORY: 400, cases.FEW: 0.01, cases.FEW_ONE: 11.43, cases.FEW_TWO: 11.43}

    def report(self, **others):
        ours = cases.RESIDUAL_PLANNER | self.GOOD | {getattr(cases, name): figure for name, figure in others.items()}
        figures = {("vernier", case): figure for case, figure in ours.items()}
        figures |= {("ResidualPlanner", case): figure for case, figure in cases.RESIDUAL_PLANNER.items()}
        figures |= {("OpenDP Fixed", case): figure for case, figure in cases.OPENDP_FIXED.items()}
        return harness.report(task.tables(quick=True), figures)

    def test_the_goals_are_met_by_what_is_good_enough(self):
        self.assertTrue(self.report()["targets_met"])

    def test_each_goal_is_missed_by_what_is_not(self):
        for name, figure in (("GAP", 2e-6), ("EPSILON", 1.0001), ("REACH", 1.01), ("PRICE", 0.72), ("PLAN", 1.2), ("WIDE_PLAN", 11), ("RELEASE", 2),
                             ("MEMORY", 600), ("FEW", 0.2), ("FEW_ONE", 12), ("FEW_TWO", 12)):
            report = self.report(**{name: figure})
            self.assertEqual([one["case"] for one in report["targets"] if not one["met"]], [getattr(cases, name)], name)

    def test_peers_have_figures_for_their_cases_alone(self):
        self.assertEqual(peers.answer("residualplanner", cases.ERRORS[0]), 2.2759)
        self.assertIsNone(peers.answer("opendp", cases.PLAN))


if __name__ == "__main__":
    unittest.main()
