"""The benchmark of accuracy, without its programs: `python3 -m unittest bench.accuracy.task_test`."""

import random
import unittest
from unittest import mock

from bench import harness
from bench.accuracy import cases, peer, task, vernier


class Accuracy(unittest.TestCase):
    def test_without_a_program_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.object(task, "VERNIER", "/no/such/program"), mock.patch.object(task, "DEPS", "/no/such/folder"):
            accuracy = task.accuracy(quick=True)
            report = harness.report(accuracy, harness.run(accuracy, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))

    def test_the_tables_are_always_the_same_and_within_their_bounds(self):
        for table, columns in cases.BOUNDS.items():
            rows = cases.rows_of(table)
            self.assertEqual(rows, cases.rows_of(table))
            for name, (lower, upper) in columns.items():
                self.assertTrue(all(lower <= row[name] <= upper for row in rows), name)

    def test_exact_answers_have_no_error_and_others_have_theirs(self):
        for case in cases.ALL.values():
            exact = {key: cases.exact(case, rows) for key, rows in cases.groups_of(case).items()}
            self.assertEqual(cases.error(case, exact), 0, case.name)
            first = next(iter(exact))
            exact[first][0] += 1
            self.assertGreater(cases.error(case, exact), 0, case.name)

    def test_one_case_that_a_peer_does_better_misses_the_target_by_its_name(self):
        accuracy = task.accuracy(quick=False)
        figures = {("vernier", name): 1.0 for name in cases.ALL} | {("opendp", name): 2.0 for name in cases.ALL}
        self.assertTrue(harness.report(accuracy, figures)["targets_met"])
        report = harness.report(accuracy, figures | {("google", "mean of age"): 0.9})
        self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], ["mean of age"])

    def test_the_confidence_of_a_ratio_is_that_of_both_errors(self):
        accuracy = task.accuracy(quick=True)

        class Fixed:
            def __init__(self, name, spread):
                self.name, self.spread = name, spread

            def answer(self, line):
                return str(self.spread) if line == "spread rows" else "none"

        report = {"results": [{"contender": name, "case": "rows", "value": value} for name, value in (("vernier", 1.0), ("opendp", 2.0))]}
        low, ratio, high = task.confidence(accuracy, [Fixed("vernier", 0.03), Fixed("opendp", 0.08)], report)["confidence"]["rows"]["opendp"]
        self.assertAlmostEqual(ratio, 0.5)
        self.assertAlmostEqual(high / ratio, 1.103, places=3)  # exp(1.96 * hypot(0.03, 0.04))
        self.assertAlmostEqual(ratio / low, 1.103, places=3)

    def test_a_statement_asks_what_is_judged(self):
        columns, judged = vernier.asked(cases.ALL["COUNT(*) and 4 means: the means"])
        self.assertEqual(len(columns), 5)
        self.assertEqual(judged, ["m0", "m1", "m2", "m3"])
        self.assertIn("keys = [0, 1, 2]", vernier.catalog(cases.ALL["rows"], 3))
        self.assertIn("public_count", vernier.catalog(cases.ALL["mean of age, n public"], 1))

    def test_spread_is_the_standard_error(self):
        draw = random.Random(1)
        errors = [draw.gauss(5, 2) for _ in range(10_000)]
        self.assertAlmostEqual(peer.spread(errors), 0.02, places=3)


if __name__ == "__main__":
    unittest.main()
