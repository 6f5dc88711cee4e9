"""`vernier law` as a user runs it. Usage: law_test.py PROGRAM"""
import bisect
import decimal
import math
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml
from decimal import Decimal

from program import ProgramTest, run

decimal.getcontext().prec = 60
MECHANISMS = ["laplace", "geometric", "gaussian", "discrete-gaussian"]
DRAWS = 200_000
# Dvoretzky, Kiefer, Wolfowitz and Massart: with this band a right sampler is refused with probability 1e-9 at most.
BAND = math.sqrt(math.log(2 / 1e-9) / (2 * DRAWS))


def cumulative(mechanism, scale, x):
    """P[X <= x], by formulas of its own."""
    if mechanism == "laplace":
        return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)
    if mechanism == "gaussian":
        return 0.5 * math.erfc(-x / scale / math.sqrt(2))
    if mechanism == "geometric":
        below = lambda k: math.exp(-k / scale) / (1 + math.exp(-1 / scale))  # P[X <= -k], k > 0
        return below(-x) if x < 0 else 1 - below(x + 1)
    reach = math.ceil(40 * scale)
    weights = {k: math.exp(-(k / scale) ** 2 / 2) for k in range(-reach, reach + 1)}
    return math.fsum(w for k, w in weights.items() if k <= x) / math.fsum(weights.values())


def law(mechanism, scale, *words):
    return ["law", mechanism, "--scale", str(scale), *map(str, words)]


class Figures(ProgramTest):
    def assert_certified(self, answer, exact):
        self.assertLessEqual(Decimal(answer["lower"]), exact)
        self.assertGreaterEqual(Decimal(answer["upper"]), exact)
        self.assertLessEqual(answer["upper"] - answer["lower"], 1e-12 * answer["upper"])
        self.assertLessEqual(answer["lower"], answer["value"])
        self.assertLessEqual(answer["value"], answer["upper"])

    def test_geometric_mass_at_zero_is_the_hyperbolic_tangent(self):
        answer = self.json(*law("geometric", 10, "--density", 0))
        ratio = (Decimal(-1) / 10).exp()
        self.assert_certified(answer, (1 - ratio) / (1 + ratio))
        self.assertAlmostEqual(answer["value"], math.tanh(1 / 20), delta=1e-16)
        asked = [answer[key] for key in ("mechanism", "scale", "function", "x")]
        self.assertEqual(asked, ["geometric", 10, "density", 0])

    def test_laplace_density_and_tail_far_out(self):
        self.assert_certified(self.json(*law("laplace", 2, "--density", 3)), (Decimal(-3) / 2).exp() / 4)
        self.assert_certified(self.json(*law("laplace", 2, "--tail", 1000)), Decimal(-500).exp() / 2)

    def test_discrete_gaussian_mass_is_its_share_of_the_sum(self):
        total = sum((-Decimal(k * k) / 2).exp() for k in range(-20, 21))
        self.assert_certified(self.json(*law("discrete-gaussian", 1, "--density", 2)), Decimal(-2).exp() / total)

    def test_gaussian_cumulative_and_quantile_are_the_tables(self):
        answer = self.json(*law("gaussian", 1, "--cumulative", 1.959963984540054))
        self.assertAlmostEqual(answer["value"], 0.975, delta=1e-15)
        answer = self.json(*law("gaussian", 1, "--quantile", 0.975))
        self.assertAlmostEqual(answer["value"], 1.959963984540054, delta=1e-14)
        self.assertNotIn("lower", answer)

    def test_all_cumulatives_agree_with_formulas_of_the_test(self):
        for mechanism in MECHANISMS:
            for scale in (0.5, 3, 20.3):
                points = [-50, -3, -1, 0, 2, 17]
                answer = self.json(*law(mechanism, scale, "--cumulative", *points))
                self.assertEqual(answer["x"], points)
                for x, value in zip(points, answer["value"]):
                    expected = cumulative(mechanism, scale, x)
                    self.assertAlmostEqual(value, expected, delta=1e-12, msg=(mechanism, scale, x))

    def test_quantile_is_the_least_number_that_reaches_p(self):
        for mechanism in ("geometric", "discrete-gaussian"):
            for p in (1e-9, 0.3, 0.5, 0.975):
                x = self.json(*law(mechanism, 7.5, "--quantile", p))["value"]
                before, at = self.json(*law(mechanism, 7.5, "--cumulative", x - 1, x))["value"]
                self.assertLess(before, p)
                self.assertGreaterEqual(at, p)

    def test_quantiles_at_the_ends_are_infinite(self):
        for mechanism in MECHANISMS:
            answer = self.json(*law(mechanism, 3, "--quantile", 0, 0.5, 1))
            self.assertEqual(answer["value"], ["-inf", 0, "inf"], mechanism)
            self.assertEqual(self.text(*law(mechanism, 3, "--quantile", 1)).splitlines()[0], "quantile(1) = inf")

    def test_names_and_numbers_are_read_as_people_write_them(self):
        self.assertEqual(self.json(*law("discrete-laplace", 3, "--density", 1)),
                         self.json(*law("geometric", "3.0", "--density", "1.0")))
        self.assertEqual(self.json(*law("geometric", 3, "--density", -4)),
                         self.json(*law("geometric", 3, "--density=-4")))
        self.assertEqual(self.json(*law("gaussian", "1e-1", "--density", "+.5"))["x"], 0.5)

    def test_integers_beyond_a_double_are_strings(self):
        self.assertEqual(self.json(*law("geometric", 3, "--tail", 2**53 + 1))["x"], str(2**53 + 1))
        self.assertEqual(self.json(*law("geometric", 3, "--tail", 2**53))["x"], 2**53)

    def test_json_numbers_have_17_significant_digits(self):
        self.assertIn('"scale":20.300000000000001,', self.text(*law("laplace", 20.3, "--density", 1, "--json")))

    def test_a_person_reads_one_value_as_a_sentence_and_several_as_a_table(self):
        first, second = self.text(*law("geometric", 10, "--cumulative", 12)).splitlines()
        self.assertRegex(first, r"^P\[X <= 12\] = 0\.8569264807308\d+$")
        self.assertRegex(second, r"^certified to lie in \[0\.85692648\d+, 0\.85692648\d+\], "
                                 r"X being geometric noise of scale 10$")
        table = self.text(*law("geometric", 10, "--density", -1, 0, 100)).splitlines()
        self.assertEqual(table[0].split(), ["x", "P[X", "=", "x]", "at", "least", "at", "most"])
        self.assertEqual([line.split()[0] for line in table[1:]], ["-1", "0", "100"])
        self.assertEqual(len({len(line) for line in table}), 1)


class Samples(ProgramTest):
    def test_draws_follow_the_law(self):
        for mechanism in MECHANISMS:
            for scale in (0.8, 20.3):
                draws = sorted(self.json(*law(mechanism, scale, "--sample", DRAWS))["values"])
                self.assertEqual(len(draws), DRAWS)
                for x in sorted(set(draws[:: DRAWS // 1000])):
                    share = bisect.bisect_right(draws, x) / DRAWS
                    expected = cumulative(mechanism, scale, x)
                    self.assertAlmostEqual(share, expected, delta=BAND, msg=(mechanism, scale, x))

    def test_the_band_tells_a_scale_that_is_ten_percent_off(self):
        draws = sorted(self.json(*law("laplace", 22, "--sample", DRAWS))["values"])
        share = lambda x: bisect.bisect_right(draws, x) / DRAWS
        self.assertGreater(max(abs(share(x) - cumulative("laplace", 20, x)) for x in (-30, -20, 20, 30)), BAND)

    def test_text_is_one_number_a_line(self):
        lines = self.text(*law("geometric", 3, "--sample", 1000)).splitlines()
        self.assertEqual(len([int(line) for line in lines]), 1000)
        lines = self.text(*law("gaussian", 3, "--sample", "1e3")).splitlines()
        self.assertEqual(len([float(line) for line in lines]), 1000)

    def test_real_draws_lie_on_the_grid_they_state(self):
        for mechanism in ("laplace", "gaussian"):
            answer = self.json(*law(mechanism, 20.3, "--sample", 1000))
            self.assertEqual(answer["size"], 1000)
            self.assertTrue(all((value / answer["granularity"]).is_integer() for value in answer["values"]))
            self.assertLess(answer["granularity"], 20.3 / 2**20)
        self.assertNotIn("granularity", self.json(*law("geometric", 20.3, "--sample", 1)))

    def test_two_runs_differ(self):
        words = law("discrete-gaussian", 1000, "--sample", 100)
        self.assertNotEqual(self.text(*words), self.text(*words))

    def test_ten_million_are_the_most(self):
        self.assertEqual(self.text(*law("geometric", 3, "--sample", 10_000_000)).count("\n"), 10_000_000)
        self.assert_refused(law("geometric", 3, "--sample", 10_000_001), saying="--sample must be at most 10000000")


class Plots(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = os.path.join(self.folder, "law.svg")

    def drawing(self):
        """It is taken away, since nothing is drawn over."""
        root = xml.parse(self.file).getroot()
        os.remove(self.file)
        return root, [element.tag.split("}")[1] for element in root.iter()], [text.strip() for text in root.itertext()]

    def test_every_law_at_every_size_is_a_wide_drawing_without_scripts(self):
        for mechanism in MECHANISMS:
            for scale in (0.5, 20.3, 1e6):
                self.text(*law(mechanism, scale, "--plot", self.file))
                root, tags, words = self.drawing()
                self.assertEqual(float(root.get("width")) * 9, float(root.get("height")) * 16)
                self.assertNotIn("script", tags)
                self.assertIn("100,000 draws", " ".join(words))
                self.assertTrue({"law", "draws", "value"} <= set(words), words)

    def test_small_whole_numbers_are_stems_and_the_rest_is_a_curve(self):
        self.text(*law("geometric", 0.5, "--plot", self.file))
        self.assertEqual(self.drawing()[1].count("circle"), 7 + 1)  # -3 to 3, and the legend's
        self.text(*law("geometric", 20.3, "--plot", self.file))
        self.assertEqual(self.drawing()[1].count("circle"), 0)

    def test_a_plot_goes_with_any_function(self):
        self.assertEqual(self.json(*law("laplace", 3, "--plot", self.file))["function"], "plot")
        self.drawing()
        self.assertEqual(self.json(*law("laplace", 3, "--density", 0, "--plot", self.file))["function"], "density")
        self.drawing()
        self.assertEqual(len(self.text(*law("laplace", 3, "--sample", 50, "--plot", self.file)).splitlines()), 50)
        self.assertEqual(os.listdir(self.folder), ["law.svg"])
        self.assertIn("50 draws", " ".join(self.drawing()[2]))

    def test_what_cannot_be_written_is_said(self):
        missing = os.path.join(self.folder, "missing", "law.svg")
        self.assert_refused(law("laplace", 3, "--density", 0, "--plot", missing), code=1, saying="cannot be written")
        self.assert_refused(law("laplace", 3, "--plot", os.path.join(self.folder, "law.png")), saying=".svg")
        os.mkdir(self.file)
        self.assert_refused(law("laplace", 3, "--plot", self.file), saying="exists already")


class Refusals(ProgramTest):
    def test_scales_that_are_none(self):
        for scale in ("0", "-0", "nan", "-1", "ten", "1e400", "1e-400", "0x10", "0,1", "", " 1", "inf", "1_0", "1e101"):
            for mechanism in MECHANISMS:
                self.assert_refused(law(mechanism, scale, "--density", 1), saying="scale")
        for scale in ("1e-4", "1e13"):
            self.assert_refused(law("geometric", scale, "--density", 1), saying="scale")
            self.assert_refused(law("discrete-gaussian", scale, "--density", 1), saying="scale")

    def test_arguments_that_are_none(self):
        for option in ("--density", "--cumulative", "--tail"):
            for x in ("nan", "inf", "-inf", "x", "1e400", "0x1", "0,1", "", "1 2"):
                self.assert_refused(law("laplace", 1, option, x), saying=option)
            for x in ("2.5", "1e19", str(2**63), "1e16", "nan"):
                self.assert_refused(law("geometric", 1, option, x), saying=option)
            self.assert_refused(law("geometric", 1, option, 0, "x"), saying="'x'")

    def test_probabilities_that_are_none(self):
        for p in ("1.5", "-0.1", "1.0000000000000002", "nan", "half", "95%", "1e400"):
            for mechanism in MECHANISMS:
                self.assert_refused(law(mechanism, 1, "--quantile", p))

    def test_sizes_that_are_none(self):
        for size in ("0", "-1", "10000001", "1e30", "2.5", "many", "", "nan", "1,000", "0x10"):
            self.assert_refused(law("geometric", 1, "--sample", size), saying="--sample")

    def test_functions_that_are_missing_or_too_many(self):
        self.assert_refused(law("geometric", 1), saying="nothing is asked")
        self.assert_refused(law("geometric", 1, "--density", 1, "--tail", 1), saying="--density and --tail")
        self.assert_refused(law("geometric", 1, "--quantile", 0.5, "--sample", 1), saying="--quantile and --sample")
        self.assert_refused(["law", "geometric", "--density", "1"], saying="the scale is missing")
        self.assert_refused(["law", "--scale", "1", "--density", "1"], saying="the mechanism is missing")
        self.assert_refused(["law"], saying="the mechanism is missing")

    def test_words_that_are_not_known(self):
        self.assert_refused(law("cauchy", 1, "--density", 1), saying="cauchy")
        self.assert_refused(law("geo\nmetric", 1, "--density", 1))
        self.assert_refused(law("geometric", 1, "--densty", 1), saying="did you mean --density?")
        self.assert_refused(law("geometric", 1, "--density"), saying="--density needs a value")
        self.assert_refused(law("geometric", 1, "--scale", 2, "--density", 1), saying="more than once")
        self.assert_refused(law("geometric", 1, "--json=yes", "--density", 1), saying="--json takes no value")
        self.assert_refused(law("geometric", 1, "--density", 1, "--"), saying="unknown")
        self.assert_refused(["law", "geometric", "laplace", "--scale", "1", "--density", "1"], saying="'laplace'")
        self.assert_refused(["laws"], saying="did you mean law?")
        self.assert_refused([""])
        self.assert_refused(["--verbose"])

    def test_an_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = run(*law("geometric", 1, "--density", 1), stdout=full)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))


class Help(ProgramTest):
    def test_help_has_an_example_and_the_version_a_number(self):
        for words in (["--help"], ["-h"], ["law", "--help"], law("geometric", 1, "--help")):
            self.assertRegex(self.text(*words), r"Example:\n(  vernier .*\n)*  vernier law")
        self.assertRegex(self.text("--version"), r"^vernier \d+\.\d+\.\d+\n$")

    def test_without_a_command_the_help_stands_on_standard_error(self):
        done = run()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("Usage:", done.stderr)


if __name__ == "__main__":
    unittest.main()
