"""`vernier calibrate` as a user runs it. Usage: calibrate_test.py PROGRAM"""
import json
import math
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml
from fractions import Fraction

from program import ProgramTest, calibrate

MECHANISMS = ["laplace", "geometric", "gaussian", "discrete-gaussian"]
KEYS = ["mechanism", "calibration", "sensitivity", "scale", "epsilon", "delta", "rho", "alpha", "cells", "accuracy",
        "accuracy_strict", "accuracy_continuous", "standard_deviation", "epsilon_continuous"]


class Answers(ProgramTest):
    def test_json_has_these_keys_and_null_where_a_figure_does_not_apply(self):
        for mechanism in MECHANISMS:
            answer = self.json(*calibrate(mechanism, epsilon=0.5, delta="1e-6"))
            self.assertEqual(list(answer), KEYS)
            gaussian = mechanism.endswith("gaussian")
            self.assertEqual(answer["calibration"], "analytic" if mechanism == "gaussian" else None)
            self.assertEqual(answer["rho"] is not None, gaussian)
            self.assertIsNone(answer["epsilon_continuous"])
            self.assertEqual([answer[key] for key in ("sensitivity", "epsilon", "delta", "alpha", "cells")],
                             [1, 0.5, 1e-6, 0.05, 1])

    def test_the_pure_mechanisms_take_delta_0_unless_one_is_given(self):
        for mechanism in ("laplace", "geometric"):
            pure = self.json(*calibrate(mechanism, epsilon=1))
            self.assertEqual((pure["delta"], pure["scale"]), (0, 1))
            self.assertEqual(pure, self.json(*calibrate(mechanism, epsilon=1, delta=0)))
            self.assertLess(self.json(*calibrate(mechanism, epsilon=1, delta="0.1"))["scale"], 1)
            self.assertEqual(self.json(*calibrate(mechanism, scale=1, epsilon=1))["delta"], 0)
        self.assertEqual(self.json(*calibrate("discrete-laplace", epsilon=1))["mechanism"], "geometric")

    def test_the_discrete_gaussian_is_calibrated_by_its_own_sum(self):
        delta = lambda mechanism: self.json(*calibrate(mechanism, scale=1, epsilon=1))["delta"]
        self.assertAlmostEqual(delta("discrete-gaussian"), 0.14135134, delta=5e-9)
        self.assertAlmostEqual(delta("gaussian"), 0.12693674, delta=5e-9)

    def test_numbers_are_echoed_as_written_and_read_toward_safety(self):
        answer = self.text(*calibrate("laplace", epsilon="0.1"), "--json")
        self.assertIn('"epsilon":0.10000000000000001,', answer)
        scale = Fraction(json.loads(answer)["scale"])
        self.assertGreaterEqual(scale, Fraction(10))  # 1/0.1 of the decimal; the nearest double of 0.1 would give less
        answer = self.json(*calibrate("laplace", accuracy="0.1", sensitivity="0.3"))
        self.assertEqual((answer["accuracy"], answer["sensitivity"]), (0.1, 0.3))

    def test_the_ends_of_the_domain_are_answered(self):
        for mechanism in MECHANISMS:
            for stated in ({"epsilon": "1e-10", "delta": "0.5"}, {"epsilon": "1e4", "delta": "1e-300"},
                           {"scale": "1e-3", "delta": "1e-300", "alpha": "1e-300"},
                           {"scale": "1e12", "delta": "0.5", "alpha": "0.999"}):
                if mechanism == "geometric" and stated.get("epsilon") == "1e4":
                    continue  # its scale is below 0.001
                if mechanism == "discrete-gaussian" and stated.get("epsilon") == "1e4":
                    continue
                answer = self.json(*calibrate(mechanism, **stated))
                for key in ("scale", "epsilon", "delta", "accuracy", "standard_deviation"):
                    self.assertTrue(math.isfinite(answer[key]) and answer[key] >= 0, (mechanism, stated, answer))
                self.assertGreater(answer["scale"] * answer["standard_deviation"], 0)

    def test_the_documents_epsilon_stands_beside_the_exact_one(self):
        answer = self.json(*calibrate("geometric", accuracy=30, sensitivity=2))
        self.assertAlmostEqual(answer["epsilon_continuous"], 2 * math.log(20) / 30, delta=1e-15)
        self.assertLess(answer["epsilon"], answer["epsilon_continuous"])
        self.assertIsNone(self.json(*calibrate("laplace", accuracy=30))["epsilon_continuous"])
        self.assertIsNone(self.json(*calibrate("geometric", accuracy=0))["epsilon_continuous"])

    def test_cells_are_taken_together_exactly(self):
        one = self.json(*calibrate("geometric", scale=10, alpha=0.05, cells=1))["accuracy"]
        many = self.json(*calibrate("geometric", scale=10, alpha=0.05, cells=100))
        inside = lambda a: 1 - 2 * math.exp(-(a + 1) / 10) / (1 + math.exp(-1 / 10))
        self.assertGreater(many["accuracy"], one)
        self.assertGreaterEqual(inside(many["accuracy"]) ** 100, 0.95)
        self.assertLess(inside(many["accuracy"] - 1) ** 100, 0.95)

    def test_a_person_reads_a_table_and_a_sentence(self):
        text = self.text(*calibrate("geometric", scale=180))
        self.assertIn("With probability 95 % the released count is within ±539 of the exact one.\n", text)
        self.assertRegex(text, r"(?m)^accuracy, ceiling +540 ")
        self.assertRegex(text, r"(?m)^epsilon +0\.00555555555555555\d+ ")
        self.assertEqual([line for line in text.splitlines() if line != line.rstrip()], [])
        self.assertNotIn("ceiling  ", self.text(*calibrate("geometric", scale=10)))
        text = self.text(*calibrate("laplace", accuracy=50, alpha="1e-20", cells=7))
        self.assertIn("With probability 1 - 1e-20 all 7 released values are within ±50 of the exact ones.\n", text)


class Sweeps(ProgramTest):
    def test_points_rise_by_one_factor_and_each_is_an_answer(self):
        answer = self.json(*calibrate("gaussian", delta="1e-6", sweep="epsilon=0.1:10:50"))
        self.assertEqual((list(answer), answer["sweep"], len(answer["points"])), (["sweep", "points"], "epsilon", 50))
        epsilons = [point["epsilon"] for point in answer["points"]]
        self.assertEqual((epsilons[0], epsilons[-1]), (0.1, 10))
        for before, after in zip(epsilons, epsilons[1:]):
            self.assertAlmostEqual(after / before, 100 ** (1 / 49), delta=1e-12)
        for point in answer["points"][::12]:
            alone = self.json(*calibrate("gaussian", epsilon=repr(point["epsilon"]), delta="1e-6"))
            self.assertEqual(list(point), KEYS)
            self.assertAlmostEqual(point["scale"] / alone["scale"], 1, delta=1e-12)

    def test_every_key_can_be_swept(self):
        self.assertEqual(len(self.json(*calibrate("laplace", sweep="scale=1:100:5"))["points"]), 5)
        self.assertEqual(len(self.json(*calibrate("laplace", epsilon=1, sweep="scale=1:100:5"))["points"]), 5)
        points = self.json(*calibrate("laplace", epsilon=1, sweep="alpha=0.001:0.5:7"))["points"]
        self.assertEqual(sorted((p["accuracy"] for p in points), reverse=True), [p["accuracy"] for p in points])
        points = self.json(*calibrate("geometric", sweep="accuracy=1:20:12"))["points"]
        accuracies = [point["accuracy"] for point in points]
        self.assertEqual(accuracies, sorted(set(accuracies)))
        self.assertTrue(all(float(a).is_integer() for a in accuracies))
        self.assertEqual((accuracies[0], accuracies[-1]), (1, 20))

    def test_a_person_reads_an_aligned_table(self):
        lines = self.text(*calibrate("laplace", sweep="epsilon=0.1:10:3")).splitlines()
        self.assertEqual(lines[0].split(), ["epsilon", "delta", "scale", "standard", "deviation", "accuracy"])
        self.assertEqual(len({len(line) for line in lines[:4]}), 1)
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["0.1", "1", "10"])
        self.assertIn("alpha", self.text(*calibrate("laplace", epsilon=1, sweep="alpha=0.1:0.2:2")).splitlines()[0])

    def test_sweeps_that_are_none(self):
        for sweep in ("", "epsilon", "epsilon=1:2", "epsilon=2:1:3", "epsilon=0:1:3", "delta=1e-6:1e-3:3", "epsilon=1:2:1",
                      "epsilon=1:2:99999", "epsilon=1:2:2.5", "epsilon=nan:2:3", "epsilon=0,1:2:3"):
            self.assert_refused(calibrate("laplace", sweep=sweep), saying="--sweep")
        self.assert_refused(calibrate("laplace", sweep="epsilon=1:2:3", epsilon=1), saying="leave one of them out")
        self.assert_refused(calibrate("laplace", sweep="epsilon=1:2:3", accuracy=1), saying="--accuracy and --epsilon")
        self.assert_refused(calibrate("laplace", sweep="alpha=0.1:0.2:3"), saying="nothing is known")
        self.assert_refused(calibrate("laplace", sweep="epsilon=1:20000:3"), saying="20000")


class Plots(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "compare.svg")

    def names(self, *words):
        self.text(*words, "--plot", self.file)
        root = xml.parse(self.file).getroot()
        self.assertEqual(float(root.get("width")) * 9, float(root.get("height")) * 16)
        os.remove(self.file)  # nothing is drawn over
        texts = {text.strip() for text in root.itertext()}
        for element in root.iter():
            self.assertNotIn("nan", (element.get("d") or "") + (element.get("cx") or ""), words)
            self.assertNotIn("inf", (element.get("d") or "") + (element.get("cx") or ""), words)
        self.assertIn("epsilon", texts)
        return texts & {*MECHANISMS, "this release"}

    def test_all_mechanisms_that_apply_are_compared(self):
        sweep = calibrate("laplace", sweep="epsilon=0.1:10:5")
        self.assertEqual(self.names(*sweep), {"laplace", "geometric"})
        self.assertEqual(self.names(*sweep, "--delta", "1e-6"), set(MECHANISMS))
        self.assertEqual(self.names(*sweep, "--delta", "1e-6", "--sensitivity", "0.5"), {"laplace", "gaussian"})

    def test_any_question_can_be_drawn(self):
        for mechanism in MECHANISMS:
            for stated in ({"epsilon": 1}, {"scale": 3}, {"accuracy": 20}, {"scale": "1e12"}, {"scale": "0.001"},
                           {"epsilon": "1e-10"}, {"accuracy": "1e9"}):
                words = calibrate(mechanism, **stated, delta="1e-6")
                self.assertIn(mechanism, self.names(*words))
            self.names(*calibrate(mechanism, scale=2, epsilon=1))
        self.assertIn("this release", self.names(*calibrate("geometric", epsilon=1)))
        self.assertIn("gaussian", self.names(*calibrate("gaussian", epsilon=0.5, delta="1e-6", calibration="classical")))

    def test_what_cannot_be_written_is_said(self):
        self.assert_refused(calibrate("laplace", epsilon=1, plot="compare.png"), saying=".svg")
        missing = os.path.join(os.path.dirname(self.file), "missing", "compare.svg")
        self.assert_refused(calibrate("laplace", epsilon=1, plot=missing), code=1, saying="cannot be written")


class Refusals(ProgramTest):
    def test_too_much_or_too_little(self):
        self.assert_refused(calibrate("laplace"), saying="nothing is known; give one of --epsilon")
        self.assert_refused(calibrate("laplace", delta="1e-6", alpha=0.1), saying="nothing is known")
        self.assert_refused(calibrate("gaussian", epsilon=1, scale=2, delta="1e-6"), saying="leave nothing to find")
        self.assert_refused(calibrate("laplace", scale=1, accuracy=2), saying="--accuracy and --scale")
        self.assert_refused(calibrate("laplace", epsilon=1, accuracy=2), saying="--accuracy and --epsilon")
        self.assert_refused(calibrate("laplace", epsilon=1, scale=1, accuracy=2), saying="--accuracy and --scale")
        self.assert_refused(["calibrate", "--epsilon", "1"], saying="the mechanism is missing")
        self.assert_refused(calibrate("cauchy", epsilon=1), saying="'cauchy'")

    def test_the_gaussians_need_a_delta_above_0(self):
        for mechanism in ("gaussian", "discrete-gaussian"):
            self.assert_refused(calibrate(mechanism, epsilon=1), saying="--delta is missing")
            for stated in ({"epsilon": 1}, {"scale": 1}, {"accuracy": 5}):
                self.assert_refused(calibrate(mechanism, **stated, plot="x.svg"), saying="--delta is missing")
                self.assert_refused(calibrate(mechanism, **stated, delta=0), saying="delta is 0")

    def test_scale_and_accuracy_tell_each_other_without_a_delta(self):
        for mechanism in ("gaussian", "discrete-gaussian"):
            for stated in ({"scale": 7}, {"accuracy": 5}):
                answer = self.json(*calibrate(mechanism, **stated))
                self.assertEqual((answer["epsilon"], answer["delta"]), (None, None))
                with_delta = self.json(*calibrate(mechanism, **stated, delta="1e-6"))
                self.assertEqual({**with_delta, "epsilon": None, "delta": None}, answer)
                self.assertIn("give --delta", self.text(*calibrate(mechanism, **stated)))

    def test_numbers_that_are_none(self):
        for key in ("epsilon", "scale", "accuracy", "delta", "alpha", "sensitivity"):
            for text in ("0x10", "0,1", "1e400", "-0", "nan", "inf", "-1", "", "1 2", "half", "1e-400"):
                stated = {"epsilon": 1} if key in ("delta", "alpha", "sensitivity") else {}
                self.assert_refused(calibrate("laplace", **{**stated, key: text}), saying=f"--{key}")

    def test_numbers_out_of_their_range(self):
        for text in ("0", "1e-11", "10001"):
            self.assert_refused(calibrate("laplace", epsilon=text), saying="epsilon must be a number between")
        for text in ("0.6", "1", "1e-301"):
            self.assert_refused(calibrate("laplace", epsilon=1, delta=text), saying="delta must be 0 or a number")
        for text in ("0", "1", "2", "1e-301"):
            self.assert_refused(calibrate("laplace", epsilon=1, alpha=text), saying="alpha must be a number between")
        for text in ("0", "1e101"):
            self.assert_refused(calibrate("laplace", epsilon=1, sensitivity=text), saying="sensitivity")
            self.assert_refused(calibrate("laplace", scale=text), saying="scale")
        for text in ("1e-4", "1e13"):
            self.assert_refused(calibrate("geometric", scale=text), saying="scale")
        self.assert_refused(calibrate("geometric", epsilon="1e4"), saying="scale")

    def test_whole_numbers_where_the_mechanism_has_no_others(self):
        for mechanism in ("geometric", "discrete-gaussian"):
            for text in ("0.5", "1.5", "1.00000000000000000001"):
                self.assert_refused(calibrate(mechanism, epsilon=1, delta="1e-6", sensitivity=text),
                                    saying="--sensitivity must be a whole number")
            self.assert_refused(calibrate(mechanism, epsilon=1, delta="1e-6", sensitivity="0"), saying="from 1 to 2^53")
            self.assert_refused(calibrate(mechanism, epsilon=1, delta="1e-6", sensitivity="1e300"), saying="64 bits")
            self.assert_refused(calibrate(mechanism, accuracy="12.5", delta="1e-6"), saying="write 12 for")

    def test_accuracy_0_is_for_whole_numbers_only(self):
        for mechanism in ("laplace", "gaussian"):
            self.assert_refused(calibrate(mechanism, accuracy=0, delta="1e-6"), saying="accuracy above 0")
        self.assertEqual(self.json(*calibrate("geometric", accuracy=0))["accuracy"], 0)

    def test_calibrations(self):
        for name in ("classical", "dwork-roth"):
            for epsilon in (1, 10):
                self.assert_refused(calibrate("gaussian", epsilon=epsilon, delta="1e-5", calibration=name),
                                    saying="proven for epsilon below 1 only")
            self.assert_refused(calibrate("gaussian", scale=1, delta="1e-5", calibration=name), saying="--scale is given")
            self.assert_refused(calibrate("gaussian", accuracy=1, delta="1e-5", calibration=name),
                                saying="--accuracy is given")
        self.assert_refused(calibrate("gaussian", epsilon=1, delta="1e-5", calibration="analitic"),
                            saying="did you mean analytic?")
        for mechanism in ("laplace", "geometric", "discrete-gaussian"):
            self.assert_refused(calibrate(mechanism, epsilon=1, delta="1e-5", calibration="analytic"),
                                saying="belongs to the gaussian mechanism")

    def test_cells_that_are_none(self):
        for text in ("0", "-1", "1.5", "1e10", "many", "nan", ""):
            self.assert_refused(calibrate("laplace", epsilon=1, cells=text), saying="cells")


class Help(ProgramTest):
    def test_help_compares_the_three_calibrations_with_true_numbers(self):
        text = self.text("calibrate", "--help")
        commands = [line.split()[1:] for line in text.splitlines() if line.startswith("  vernier calibrate gaussian --")]
        self.assertEqual(len(commands), 3)
        scales = [f"{self.json(*words)['scale']:.3f}" for words in commands]
        self.assertIn("the scales {}, {} and {}:".format(*scales), text)
        self.assertIn("vernier calibrate", self.text("--help"))


if __name__ == "__main__":
    unittest.main()
