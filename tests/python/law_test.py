"""vn.law: the figures of `vernier law`, arrays of them, and draws that have the law."""
import concurrent.futures
import decimal
import json
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import unittest
from unittest import mock

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy

import vernier as vn

LAWS = ("laplace", "geometric", "gaussian", "discrete-gaussian")
INTEGER = ("geometric", "discrete-gaussian")
FUNCTIONS = {"density": "density", "cumulative": "cdf", "tail": "tail", "quantile": "quantile"}
FALSE_ALARM = 1e-9  # of a test of draws


def density(law):
    return law.pmf if law.name in INTEGER else law.pdf


def drawn_in_child(_):
    return vn.law("geometric", 1000).sample(8).tolist()


class Figures(unittest.TestCase):
    def test_they_are_those_of_the_command_line(self):
        points = {name: ["-3", "0", "7"] if name in INTEGER else ["-0.1", "0", "2.5"] for name in LAWS}
        words = [["law", name, "--scale", "1.7", f"--{function}", *(["0.025", "0.5", "0.9"] if function == "quantile" else points[name]),
                  "--json"] for name in LAWS for function in FUNCTIONS]
        script = "import json, sys; from vernier import _core; [_core.run_program(words) for words in json.load(sys.stdin)]"
        done = subprocess.run([sys.executable, "-c", script], input=json.dumps(words), capture_output=True, text=True, check=True)
        answers = list(map(json.loads, done.stdout.splitlines()))
        self.assertEqual(len(answers), len(words))
        for answer in answers:
            law = vn.law(answer["mechanism"], 1.7)
            function = density(law) if answer["function"] == "density" else getattr(law, FUNCTIONS[answer["function"]])
            arguments = answer.get("x", answer.get("p"))
            with self.subTest(answer["mechanism"], function=answer["function"]):
                self.assertEqual(function(arguments).tolist(), answer["value"])
                self.assertEqual([function(one) for one in arguments], answer["value"])
                if "lower" in answer:
                    self.assertEqual([ends.tolist() for ends in function(arguments, bounds=True)], [answer["lower"], answer["upper"]])

    def test_arrays_keep_their_shape_and_numbers_stay_numbers(self):
        for name in LAWS:
            law = vn.law(name, 20.3)
            grid = numpy.arange(-6, 6).reshape(3, 4)
            for given in (grid, grid.astype("int8"), grid.astype(float), grid.T, grid.tolist(), numpy.asfortranarray(grid)):
                values = law.cdf(given)
                self.assertEqual(values.shape, numpy.shape(given))
                self.assertEqual(values.ravel().tolist(), [law.cdf(x) for x in numpy.ravel(given).tolist()])
            self.assertIs(type(law.tail(3)), float)
            self.assertIs(type(law.quantile(0.3)), int if name in INTEGER else float)
            self.assertEqual(law.quantile(numpy.array([0.3])).dtype, numpy.int64 if name in INTEGER else numpy.float64)
            self.assertEqual(law.cdf([]).shape, (0,))
            self.assertEqual([law.cdf(x) for x in (numpy.int32(3), numpy.float32(3), "3", decimal.Decimal(3), numpy.array(3))], [law.cdf(3)] * 5)
        self.assertEqual(vn.law("laplace", 1).quantile([0.0, 1.0]).tolist(), [-math.inf, math.inf])
        self.assertEqual(vn.law("geometric", 1).quantile(0), -math.inf)

    def test_names_scales_and_deviations(self):
        for name in LAWS:
            law = vn.law(name, "20.3")
            self.assertEqual((law.name, law.scale), (name, 20.3))
            self.assertEqual(law.standard_deviation, vn.calibrate(name, scale=20.3).standard_deviation)
            self.assertEqual(pickle.loads(pickle.dumps(law)), law)
            self.assertEqual(hash(vn.law(name, 20.3)), hash(law))
            self.assertNotEqual(law, vn.law(name, 20))
            self.assertEqual(eval(repr(law), {"Law": vn.Law}), law)
            self.assertIn("<table>", law._repr_html_())

    def test_what_is_wrong_is_said(self):
        geometric, laplace = vn.law("geometric", 10), vn.law("laplace", 10)
        for call, words in (
                (lambda: geometric.pmf(1.5), "^x must be a whole number"), (lambda: geometric.pmf([1, 1.5]), r"^x\[1\] must be a whole number"),
                (lambda: laplace.pdf(math.nan), "^x must be a decimal number"), (lambda: laplace.pdf([0, math.inf]), r"^x\[1\] must be a finite"),
                (lambda: geometric.pdf(1), "ask for pmf"), (lambda: laplace.pmf(1), "ask for pdf"), (lambda: geometric.cdf("a"), "^x must be"),
                (lambda: geometric.cdf(["a"]), "^x is an array of"), (lambda: geometric.cdf([[1], [1, 2]]), "^x has rows of different lengths"),
                (lambda: geometric.cdf([None]), "^x is an array of object"), (lambda: geometric.cdf(None), "^x is None"),
                (lambda: geometric.cdf([True]), "^x is an array of bool"), (lambda: geometric.cdf(numpy.array([2**63], "uint64")), "64 bits"),
                (lambda: laplace.quantile(1.5), "between 0 and 1"), (lambda: laplace.quantile([math.nan]), "between 0 and 1"),
                (lambda: geometric.quantile([0.5, 1]), r"^p\[1\] is 1, whose quantile is infinite"), (lambda: geometric.sample(-1), "^size must not be"),
                (lambda: geometric.sample("many"), "^size must be"), (lambda: geometric.sample(1.5), "^size must be a whole number"),
                (lambda: geometric.sample((2, None)), "^size is None"), (lambda: vn.law("normal", 1), "must be one of"),
                (lambda: vn.law("laplace", 0), "must be a positive number"), (lambda: vn.law("geometric", 1e-9), "scale"), (lambda: vn.law(None, 1), "^mechanism is None")):
            with self.subTest(words), self.assertRaisesRegex(vn.InvalidError, words):
                call()
        for many in (10**15, (10**5, 10**5), 2**62, (2**40, 2**40), 100_000_001):
            with self.assertRaisesRegex(vn.InvalidError, "^size must be at most 100000000 draws"):
                geometric.sample(many)
        with self.assertRaisesRegex(vn.InvalidError, "^x has 1000000000000 numbers; give at most"):
            geometric.cdf(range(10**12))
        with mock.patch("numpy.empty", side_effect=MemoryError), self.assertRaisesRegex(vn.FailedError, "no memory"):
            geometric.sample(5)


class Draws(unittest.TestCase):
    def test_they_have_the_law(self):
        count = 200_000
        limit = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * count))  # Dvoretzky, Kiefer, Wolfowitz and Massart
        for name in LAWS:
            law = vn.law(name, 3.3)
            draws = numpy.sort(law.sample(count))
            self.assertEqual(draws.dtype, numpy.int64 if name in INTEGER else numpy.float64)
            points = numpy.unique(draws) if name in INTEGER else draws[:: count // 1000]
            seen = numpy.searchsorted(draws, points, side="right") / count
            self.assertLess(abs(seen - law.cdf(points)).max(), limit, name)
            self.assertGreater(abs(seen - vn.law(name, 3.63).cdf(points)).max(), limit, name)  # 10 % off is seen

    def test_values_with_noise_have_the_law_around_them(self):
        count = 100_000
        limit = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * count))
        for name in LAWS:
            law = vn.law(name, 3.3)
            exact = 17 if name in INTEGER else 17.25  # on every grid
            released = numpy.sort(law.perturb([exact] * count, lower=-100, upper=100) - exact)
            points = numpy.unique(released) if name in INTEGER else released[:: count // 1000]
            seen = numpy.searchsorted(released, points, side="right") / count
            self.assertLess(abs(seen - law.cdf(points)).max(), limit, name)
            self.assertGreater(abs(seen - vn.law(name, 3.63).cdf(points)).max(), limit, name)  # 10 % off is seen
            self.assertGreater(abs(seen - vn.law(name, 2.97).cdf(points)).max(), limit, name)

    def test_values_with_noise_lie_on_the_grid_whatever_they_are(self):
        """The attack that x + sample() falls to: the last bits of a sum tell which number was added to."""
        for name in ("laplace", "gaussian"):
            law = vn.law(name, 1)
            for exact in (0.1, 1 / 3, 1e-12, 12345.678901234567):
                released = law.perturb([exact] * 1000, lower=0, upper=20_000)
                self.assertTrue((released * 2**20 == numpy.floor(released * 2**20)).all(), (name, exact))
                added = exact + law.sample(1000)
                self.assertFalse((added * 2**20 == numpy.floor(added * 2**20)).all(), (name, exact))  # this has power

    def test_no_value_raises_and_none_leaves_its_bounds(self):
        strange = [math.nan, -math.inf, math.inf, -1e300, 1e300, -0.0, 5e-324]
        quiet = {"laplace": 1e-3, "gaussian": 1e-3, "geometric": 0.02, "discrete-gaussian": 0.1}  # noise that rounds away
        for name, scale in quiet.items():
            released = vn.law(name, scale).perturb(strange, lower=-3, upper=7)
            self.assertEqual(numpy.round(released).tolist(), [-3, -3, 7, -3, 7, 0, 0], name)
        whole = vn.law("geometric", 0.02)
        self.assertEqual(whole.perturb([0.5, -0.5, 1.49, 2**60 + 1, 2**62], lower=-(2**62), upper=2**62).tolist(), [1, 0, 1, 2**60, 2**62])
        self.assertEqual(whole.perturb([2**60 + 1, -(2**60) - 1], lower=-(2**62), upper=2**62).tolist(), [2**60 + 1, -(2**60) - 1])
        self.assertEqual(whole.perturb(numpy.arange(6).reshape(2, 3), lower=1, upper=4).tolist(), [[1, 1, 2], [3, 4, 4]])
        self.assertIs(type(whole.perturb(3, lower=0, upper=9)), int)
        self.assertIs(type(vn.law("gaussian", 1).perturb(numpy.float32(3), lower=0, upper=9)), float)
        self.assertEqual(whole.perturb([], lower=0, upper=9).shape, (0,))

    def test_bounds_and_types_of_values_are_checked(self):
        geometric, laplace = vn.law("geometric", 10), vn.law("laplace", 10)
        for call, words in (
                (lambda: geometric.perturb(3, lower=9, upper=0), "^lower must not exceed upper"), (lambda: laplace.perturb(3, lower=9, upper=0), "lower end"),
                (lambda: geometric.perturb(3, lower=0.5, upper=9), "^lower must be a whole number"), (lambda: laplace.perturb(3, lower=0, upper=None), "^upper is None"),
                (lambda: laplace.perturb(3, lower=0, upper=1e30), "too wide"), (lambda: geometric.perturb(3, lower=0, upper=2**62 + 1), "at most 2.62 in size"),
                (lambda: geometric.perturb("a", lower=0, upper=9), "^values is"), (lambda: geometric.perturb([True], lower=0, upper=9), "^values is an array of bool"),
                (lambda: geometric.perturb(None, lower=0, upper=9), "^values is")):
            with self.subTest(words), self.assertRaisesRegex(vn.InvalidError, words):
                call()
        with self.assertRaises(TypeError):
            geometric.perturb(3)  # bounds are declared, not guessed

    def test_shapes_are_numpys(self):
        law = vn.law("gaussian", 1)
        self.assertIs(type(law.sample()), float)
        self.assertIs(type(vn.law("geometric", 1).sample()), int)
        self.assertEqual([law.sample(size).shape for size in (0, 5, (2, 3), [4], (), numpy.int64(3), 2.0)],
                         [(0,), (5,), (2, 3), (4,), (), (3,), (2,)])

    def test_none_come_twice_in_threads_forks_and_pickles(self):
        law = vn.law("geometric", 1e6)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            seen = [tuple(draws) for draws in pool.map(lambda _: law.sample(4).tolist(), range(16))]
        seen += [tuple(pickle.loads(pickle.dumps(law)).sample(4).tolist()) for _ in range(2)]
        self.assertEqual(len(set(seen)), len(seen))
        vn.law("geometric", 1000).sample(8)  # the source of this process is open before it forks
        with multiprocessing.get_context("fork").Pool(3) as pool:
            children = [tuple(draws) for draws in pool.map(drawn_in_child, range(12), chunksize=1)]
        self.assertEqual(len(set(children)), len(children))

    def test_the_plot_has_law_and_draws(self):
        for name in LAWS:
            axes = vn.law(name, 3).plot()
            self.assertTrue(axes.patches)
            self.assertTrue(axes.lines or axes.collections)
            self.assertIn("noise of scale 3", axes.figure._suptitle.get_text() if axes.figure._suptitle else axes.get_title(loc="left") + axes.get_title())


if __name__ == "__main__":
    unittest.main()
