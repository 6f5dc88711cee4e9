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
