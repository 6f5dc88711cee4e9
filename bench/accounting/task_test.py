"""The accounting task, without measuring anything: `python3 -m unittest bench.accounting.task_test`."""

import itertools
import math
import os
import statistics
import unittest
from unittest import mock

from bench import harness
from bench.accounting import cases, task
from bench.bounds import judged
from bench.errors import relative_excess
from bench.main import measured

GONE = "/no/such/program"
IS_SET_UP = os.path.exists(task.PYTHON)
SKIPPED = "the peers are not set up; bench/accounting/setup does that"


class Accounting(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, PYTHON=GONE):
            report = measured(task.accounting(quick=True), sentences.append)
        self.assertEqual((report["results"], report["bounds"], report["targets_met"]), ([], [], False))
        self.assertEqual([target["value"] for target in report["targets"]], [None] * 9)
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 5)

    def test_the_goals_are_those_that_were_set(self):
        goals = [target.goal for target in task.accounting(quick=False).targets]
        self.assertEqual(goals, [50, 1, 1e-3, 0, 2e3, 5e3, 100e3, 2, 12])

    def test_every_case_counts_for_a_target(self):
        accounting = task.accounting(quick=False)
        listed = {name for target in accounting.targets for name in getattr(target, "cases", ())}
        pairs = [pair for target in accounting.targets for pair in getattr(target, "pairs", {}).items()]
        self.assertEqual(listed.union(*pairs), {case.name for case in accounting.cases})

    def report(self, ours, slower=100.0, wider=2.0, **figures):
        """A report where we take `ours` microseconds for every case, or `figures`, and the exact value is always 2."""
        accounting = task.accounting(quick=False)
        mine = {name: ours for name in cases.ALL} | figures
        known = {("vernier", name): figure for name, figure in mine.items()}
        known |= {(task.PEER, name): slower * mine[name] for name in task.SHARED}
        ends = {"vernier": "1.9999 2.0001", task.PEER: f"{2 - 1e-4 * wider} {2 + 1e-4 * wider}"}
        entries = [{"contender": one, "case": case, **judged(ends[one], "2")} for one, case in known]
        return harness.report(accounting, known, entries)

    def test_known_figures_meet_the_targets_or_not(self):
        self.assertTrue(self.report(100.0)["targets_met"])
        for broken, index in (
            ({"slower": 49.0}, 0),
            ({"wider": 0.9}, 1),
            ({"discrete-gaussian x 10,000": 2001.0}, 4),
            ({"sampled gaussian x 100,000": 5001.0}, 5),
            ({"100 sampled gaussians": 100_001.0}, 6),
            ({"laplace x 10,000 at 1e-100": 301.0}, 7),
            ({"odometer of 10,000": 1201.0}, 8),
        ):
            with self.subTest(str(broken)):
                met = [target["met"] for target in self.report(100.0, **broken)["targets"]]
                self.assertEqual([i for i in range(len(met)) if not met[i]], [index])


class Lines(unittest.TestCase):
    def test_a_line_is_read_as_it_was_written(self):
        events = (cases.Event("laplace", 20.5), cases.Event("gaussian", 0.81, 50, 0.0051), cases.Event("pure", 0.01))
        self.assertEqual(cases.parse(cases.line("epsilon", "1e-6", events)), cases.Question("epsilon", 1e-6, events))

    def events(self, name):
        return cases.parse(cases.ALL[name]).events

    def test_the_mixed_cases_hold_different_events(self):
        for name, count in (("100 mechanisms", 100), ("100 sampled gaussians", 100), ("2,000 small events", 2000)):
            events = self.events(name)
            self.assertEqual((len(events), len(set(events))), (count, count))
        self.assertEqual([event.law for event in self.events("100 mechanisms")].count("gaussian"), 50)

    def test_parameters_are_the_decimals_that_one_would_write(self):
        sampled = self.events("100 sampled gaussians")
        self.assertEqual(sampled[99], cases.Event("gaussian", 1.79, 50, 0.0149))
        self.assertLessEqual(max(len(repr(event.scale)) for event in sampled), len("1.79"))
        self.assertLessEqual(max(len(repr(event.rate)) for event in sampled), len("0.0149"))

    def test_a_small_delta_has_the_same_case_at_a_large_one(self):
        for name, simpler in task.deep_pairs().items():
            deep, usual = cases.parse(cases.ALL[name]), cases.parse(cases.ALL[simpler])
            self.assertEqual(deep.events, usual.events)
            self.assertLess(deep.delta, 1e-29)


@unittest.skipUnless(IS_SET_UP, SKIPPED)
class Exact(unittest.TestCase):
    """The reference beside sums and integrals that are done here, in doubles."""

    def setUp(self):
        self.reference = task.accounting(quick=True).reference
        self.addCleanup(self.reference.stop)
        self.reference.start()

    def expect(self, event, delta, epsilon, off=1e-9):
        answer = self.reference.answer(f"value epsilon {delta!r}: {event}")
        self.assertLess(abs(relative_excess(repr(epsilon), answer)), off, answer)

    def test_gaussians_are_one_gaussian(self):
        normal = statistics.NormalDist()
        for scale, times, epsilon in ((1.0, 1, 1.0), (20.0, 400, 1.5), (3.0, 2, 0.4)):
            mu = math.sqrt(times) / scale
            delta = normal.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal.cdf(-mu / 2 - epsilon / mu)
            self.expect(f"gaussian {scale} {times} 1", delta, epsilon)
        delta = normal.cdf(5 / 24 - 1) - math.exp(5 / 12) * normal.cdf(-5 / 24 - 1)  # 1/4^2 + 1/3^2 = (5/12)^2
        self.expect("gaussian 4.0 1 1, gaussian 3.0 1 1", delta, 5 / 12)

    def test_published_totals_of_gaussians(self):
        for times, epsilon in ((1, 0.189213), (100, 2.254085), (10_000, 35.566344)):
            self.expect(f"gaussian 20 {times} 1", 1e-6, epsilon, 2e-6)

    def of_atoms(self, atoms, epsilon):
        return math.fsum(max(0.0, p - math.exp(epsilon - loss) * p) for loss, p in atoms)

    def test_two_point_losses_are_enumerated(self):
        a = 0.3
        single = ((a, 1 / (1 + math.exp(-a))), (-a, 1 / (1 + math.exp(a))))
        for times in (1, 3, 6):
            product = itertools.product(single, repeat=times)
            atoms = [(sum(loss for loss, _ in one), math.prod(p for _, p in one)) for one in product]
            for epsilon in (0.1, 0.25):
                self.expect(f"pure 0.3 {times} 1", self.of_atoms(atoms, epsilon), epsilon)
        self.expect("geometric 4 1 1", (1 - math.exp(-0.1)) / (1 + math.exp(-0.25)), 0.15)

    def test_discrete_gaussians_are_convolved(self):
        scale = 5.0
        weights = {x: math.exp(-x * x / (2 * scale * scale)) for x in range(-60, 61)}
        total = math.fsum(weights.values())
        sums = {0: 1.0}
        for times in (1, 2):
            grown = {}
            for (x, p), (y, w) in itertools.product(sums.items(), weights.items()):
                grown[x + y] = grown.get(x + y, 0.0) + p * w / total
            sums = grown
            atoms = [((times + 2 * x) / (2 * scale * scale), p) for x, p in sums.items()]
            for epsilon in (0.05, 0.4):
                self.expect(f"discrete-gaussian 5.0 {times} 1", self.of_atoms(atoms, epsilon), epsilon)

    def test_one_laplace_is_integrated(self):
        scale, epsilon, step = 2.0, 0.3, 1e-3
        points = [(i + 0.5) * step for i in range(-60_000, 60_000)]
        excess = (math.exp(-abs(x) / scale) - math.exp(epsilon - abs(x - 1) / scale) for x in points)
        self.expect("laplace 2.0 1 1", math.fsum(max(0.0, e) for e in excess) * step / (2 * scale), epsilon, 1e-6)

    def test_it_has_no_answer_to_what_it_does_not_know(self):
        for unknown in ("laplace 20 2 1", "gaussian 1 1 0.01", "gaussian 20 1 1, laplace 20 1 1"):
            self.assertRegex(self.reference.answer(f"value epsilon 1e-6: {unknown}"), "^none")


@unittest.skipUnless(IS_SET_UP, SKIPPED)
class Peers(unittest.TestCase):
    def test_each_holds_the_exact_value_of_a_hundred_gaussians(self):
        for contender in task.contenders("0.001", "60")[1:]:
            with self.subTest(contender.name):
                self.addCleanup(contender.stop)
                contender.start()
                contender.ask(cases.ALL["gaussian x 100"])
                entry = judged(contender.answer(f"bounds {cases.ALL['gaussian x 100']}"), "2.2540846502197409")
                self.assertIsNone(entry["verdict"])
                self.assertLess(entry["upper"], 2.5)


if __name__ == "__main__":
    unittest.main()
