"""The ledger task, without measuring anything: `python3 -m unittest bench.ledger.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.ledger import task

SEQUENCES = {
    ("program", task.used_by(kind, seed)): 0.9 for kind in task.used.KINDS for seed in range(1, task.SEEDS + 1)
}
GOOD = SEQUENCES | {
    ("vernier", "spends, 1 client"): 800.0,
    ("vernier", "spends, 8 clients"): 3000.0,
    ("vernier", "spends, 64 clients"): 5000.0,
    ("vernier", "spends, 1 client, sync of 1 ms"): 810.0,
    ("vernier", "spends, 64 clients, sync of 1 ms"): 18000.0,
    ("sqlite", "spends, 1 client, sync of 1 ms"): 900.0,
    ("sqlite", "spends, 64 clients, sync of 1 ms"): 900.0,
    ("vernier", "opening, 1,000,000 entries"): 2.0,
    ("vernier", "spend at entry 10"): 50.0,
    ("vernier", "spend at entry 100,000"): 100.0,
    ("sqlite", "spends, 1 client"): 1000.0,
    ("sqlite", "spends, 8 clients"): 1000.0,
    ("sqlite", "spends, 64 clients"): 1000.0,
}


class Ledger(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.object(task, "BIN", "/no/such/folder"), mock.patch.object(task, "PROGRAM", "/no/such/program"):
            ledger = task.ledger(quick=True)
            report = harness.report(ledger, harness.run(ledger, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 4)

    def test_the_goals_are_those_that_were_set(self):
        self.assertEqual([target.goal for target in task.ledger(quick=False).targets], [0.8, 5, 0.9, 20, 2, 0.9, 2])

    def test_figures_at_the_goals_meet_them(self):
        self.assertTrue(harness.report(task.ledger(quick=False), GOOD)["targets_met"])

    def test_each_figure_beyond_its_goal_fails_its_target(self):
        for case, factor in (
            ("spends, 1 client", 0.99),
            ("spends, 64 clients", 0.99),
            ("spends, 1 client, sync of 1 ms", 0.99),
            ("spends, 64 clients, sync of 1 ms", 0.99),
            ("spend at entry 100,000", 1.01),
            ("opening, 1,000,000 entries", 1.01),
        ):
            with self.subTest(case):
                figures = GOOD | {("vernier", case): factor * GOOD["vernier", case]}
                report = harness.report(task.ledger(quick=False), figures)
                self.assertEqual([target["case"] for target in report["targets"] if not target["met"]], [case])

    def test_one_sequence_that_leaves_more_unused_fails_its_target(self):
        case = task.used_by("mixed", 2)
        report = harness.report(task.ledger(quick=False), GOOD | {("program", case): 0.89})
        self.assertEqual([target["case"] for target in report["targets"] if not target["met"]], [case])

    def test_more_spends_are_better_and_less_time_is(self):
        report = harness.report(task.ledger(quick=False), GOOD | {("postgresql", "spends, 64 clients"): 2500.0})
        self.assertEqual(report["ratios"]["spends, 64 clients"], {"sqlite": 5, "postgresql": 2})

    def test_a_rough_look_leaves_the_million_out(self):
        names = [case.name for case in task.ledger(quick=True).cases]
        self.assertNotIn("opening, 1,000,000 entries", names)
        self.assertIn("opening, 100,000 entries", names)


if __name__ == "__main__":
    unittest.main()
