"""The calibration task, without measuring anything: `python3 -m unittest bench.calibrate.task_test`."""

import math
import os
import statistics
import unittest
from unittest import mock

from bench import harness
from bench.calibrate import cases, task
from bench.errors import errors, relative_excess
from bench.worker import NotMeasured

GONE = "/no/such/program"


class Calibrate(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, PYTHON=GONE, DIFFPRIVLIB=GONE):
            calibrate = task.calibrate(quick=True)
            report = harness.report(calibrate, harness.run(calibrate, sentences.append))
            self.assertEqual(errors(calibrate, sentences.append), [])
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual([target["value"] for target in report["targets"]], [None] * 6)
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 6)

    def test_every_case_counts_for_exactly_one_target(self):
        calibrate = task.calibrate(quick=False)
        judged = [name for target in calibrate.targets for name in target.cases]
        self.assertEqual(sorted(judged), sorted(case.name for case in calibrate.cases))

    def test_the_goals_are_those_that_were_set(self):
        self.assertEqual([target.goal for target in task.calibrate(quick=False).targets], [2, 20, 2, 10, 100, 100])

    def test_known_figures_meet_the_targets_or_not(self):
        calibrate = task.calibrate(quick=False)
        goals = {name: target.goal for target in calibrate.targets for name in target.cases}
        figures = {("vernier", name): goal for name, goal in goals.items()}
        self.assertTrue(harness.report(calibrate, figures)["targets_met"])
        for name, goal in goals.items():
            with self.subTest(name):
                report = harness.report(calibrate, figures | {("vernier", name): 1.01 * goal})
                self.assertEqual([t["case"] for t in report["targets"] if not t["met"]], [name])

    def test_less_time_is_better(self):
        name = next(iter(cases.ONE_SIGMA))
        report = harness.report(task.calibrate(quick=False), {("vernier", name): 0.5, ("google", name): 4.0})
        self.assertEqual(report["ratios"][name], {"google": 8})


class Lines(unittest.TestCase):
    def test_a_line_is_read_as_it_was_written(self):
        written = cases.line("scale", "laplace", [("1e-3", "0.05"), ("1", "1e-6")])
        self.assertEqual(cases.parse(written), ("scale laplace", [(0.001, 0.05), (1, 1e-6)]))

    def test_points_span_the_domain(self):
        _, budgets = cases.parse(cases.ANY_SIGMA["analytic sigma, anywhere"])
        for corner in ((1e-10, 0.5), (1e-10, 1e-300), (1e4, 0.5), (1e4, 1e-300)):
            self.assertIn(corner, budgets)
        for law in cases.LAWS:
            _, points = cases.parse(cases.ACCURACY[f"accuracy, {law}"])
            self.assertEqual((min(points), max(points)), ((1e-3, 1e-6), (1e12, 0.05)))

    def test_a_peer_with_a_sigma_alone_takes_one_budget(self):
        prepare = cases.sigma_alone(lambda epsilon, delta: epsilon / delta)
        self.assertEqual([call() for call in prepare("sigma gaussian: 1 0.5")], [2])
        for refused in ("sigma gaussian: 1 0.5, 2 0.5", "sigma discrete-gaussian: 1 0.5", "accuracy gaussian: 1 0.5"):
            with self.assertRaises(NotMeasured):
                prepare(refused)


@unittest.skipUnless(os.path.exists(task.PYTHON), "the reference is not set up; bench/calibrate/setup does that")
class Exact(unittest.TestCase):
    """The reference beside values from elsewhere: tables, and sums that can be done by hand."""

    def setUp(self):
        self.reference = task.calibrate(quick=True).reference
        self.addCleanup(self.reference.stop)
        self.reference.start()

    def expect(self, question, value, off=1e-15):
        self.assertLess(abs(relative_excess(value, self.reference.answer(f"value {question}"))), off)

    def test_gaussian_accuracy_is_the_normal_quantile(self):
        self.expect("accuracy gaussian: 2 0.05", "3.919927969080108")  # 2 * 1.9599639845400542
        self.expect("accuracy gaussian: 1 0.3173105078629141", "1.0")

    def test_sigma_satisfies_the_equation_that_defines_it(self):
        normal = statistics.NormalDist()
        for sigma, epsilon in ((1.0, 1.0), (0.2, 7.0), (3.0, 0.5), (0.7, 0.01)):
            a, b = 1 / (2 * sigma), epsilon * sigma
            delta = normal.cdf(a - b) - math.exp(epsilon) * normal.cdf(-a - b)
            self.expect(f"sigma gaussian: {epsilon} {delta!r}", repr(sigma), 1e-13)

    def test_discrete_gaussian_accuracy_is_a_whole_number(self):
        # At scale 1/2 the weight of x is e^(-2 x^2), so 10^-300 = e^-690.8 lies between 18 and 19.
        self.assertEqual(float(self.reference.answer("value accuracy discrete-gaussian: 0.5 1e-300")), 19)
        self.assertEqual(float(self.reference.answer("value accuracy discrete-gaussian: 1e6 1e-6")), 4891639)

    def test_discrete_gaussian_accuracy_turns_where_a_plain_sum_says(self):
        for scale in (3.0, 25.0):  # term by term, and by Euler-Maclaurin
            weights = [math.exp(-x * x / (2 * scale * scale)) for x in range(int(12 * scale))]
            for a in (4, 9, 31) if scale == 25 else (1, 4, 9):
                tail = 2 * math.fsum(weights[a:]) / (2 * math.fsum(weights) - 1)
                for alpha, least in ((tail * (1 + 1e-12), a), (tail * (1 - 1e-12), a + 1)):
                    answer = self.reference.answer(f"value accuracy discrete-gaussian: {scale} {alpha!r}")
                    self.assertEqual(float(answer), least)

    def test_it_has_no_answer_to_what_it_does_not_know(self):
        self.assertRegex(self.reference.answer("value accuracy geometric: 1 0.05"), "^none")


if __name__ == "__main__":
    unittest.main()
