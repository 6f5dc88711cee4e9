"""vn.calibrate and vn.accuracy: the figures of `vernier calibrate`, from Python's values."""
import concurrent.futures
import copy
import decimal
import fractions
import json
import os
import pickle
import random
import subprocess
import sys
import unittest

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy
import pandas

import vernier as vn

MECHANISMS = ("laplace", "geometric", "gaussian", "discrete-gaussian")
QUESTIONS = [
    ("geometric", {"epsilon": 0.1}),
    ("geometric", {"accuracy": 50, "alpha": 0.01}),
    ("discrete-laplace", {"scale": 180.0, "sensitivity": 3}),
    ("laplace", {"epsilon": 0.3, "delta": 1e-6, "sensitivity": 0.1}),
    ("laplace", {"accuracy": 0.1, "cells": 100}),
    ("laplace", {"scale": 1e23}),
    ("gaussian", {"epsilon": 0.5, "delta": 1e-5, "calibration": "classical"}),
    ("gaussian", {"epsilon": 1, "delta": 1e-300}),
    ("gaussian", {"scale": 4.2246788893273175}),
    ("gaussian", {"scale": 10, "epsilon": 0.7}),
    ("discrete-gaussian", {"accuracy": 20, "delta": 1e-9, "sensitivity": 2}),
    ("discrete-gaussian", {"scale": 1.1, "alpha": 1e-17}),
]
REFUSED = [
    ("gaussian", {"epsilon": 1}),
    ("laplace", {}),
    ("laplace", {"epsilon": 1, "accuracy": 1}),
    ("laplace", {"scale": 1, "epsilon": 1, "delta": 0}),
    ("laplace", {"epsilon": 1, "calibration": "classical"}),
    ("gaussian", {"scale": 1, "calibration": "classical"}),
    ("gaussian", {"epsilon": 1, "delta": 1e-6, "calibration": "exact"}),
    ("gaussian", {"epsilon": 2, "delta": 1e-6, "calibration": "classical"}),
    ("geometric", {"epsilon": 1, "sensitivity": 1.5}),
    ("geometric", {"accuracy": 1.5}),
    ("geometric", {"scale": 1e-9}),
    ("laplace", {"epsilon": -1}),
    ("laplace", {"epsilon": 0}),
    ("laplace", {"epsilon": float("nan")}),
    ("laplace", {"epsilon": float("inf")}),
    ("laplace", {"epsilon": "0,1"}),
    ("laplace", {"epsilon": 1, "cells": 0}),
    ("laplace", {"epsilon": 1, "cells": 1.5}),
    ("laplace", {"epsilon": 1, "alpha": 1}),
    ("laplace", {"accuracy": 0}),
    ("normal", {"epsilon": 1}),
]


def printed(questions):
    """What the command line prints for them, in one process, since each takes longer to start than to answer."""
    words = [["calibrate", mechanism, *(word for key, value in stated.items() for word in (f"--{key}", str(value))), "--json"]
             for mechanism, stated in questions]
    script = "import json, sys; from vernier import _core; [_core.run_program(words) for words in json.load(sys.stdin)]"
    return subprocess.run([sys.executable, "-c", script], input=json.dumps(words), capture_output=True, text=True, check=True)


class Figures(unittest.TestCase):
    def test_they_are_those_of_the_command_line(self):
        lines = printed(QUESTIONS).stdout.splitlines()
        self.assertEqual(len(lines), len(QUESTIONS))
        for (mechanism, stated), line in zip(QUESTIONS, lines):
            with self.subTest(mechanism, **stated):
                self.assertEqual(vn.calibrate(mechanism, **stated).to_dict(), json.loads(line))

    def test_refusals_are_those_of_the_command_line_without_its_dashes(self):
        lines = printed(REFUSED).stderr.splitlines()
        self.assertEqual(len(lines), len(REFUSED))
        for (mechanism, stated), line in zip(REFUSED, lines):
            with self.subTest(mechanism, **stated), self.assertRaises(vn.InvalidError) as raised:
                vn.calibrate(mechanism, **stated)
            sentence = line.removeprefix("vernier: ").replace("--delta 1e-6", "delta=1e-6")
            sentence = sentence.replace("--calibration classical", 'calibration="classical"').replace("--", "")
            self.assertEqual(str(raised.exception), sentence)

    def test_a_number_is_what_was_written(self):
        tenth = vn.calibrate("laplace", epsilon=0.1)
        for same in ("0.1", decimal.Decimal("0.1"), fractions.Fraction(1, 10), numpy.float64(0.1), numpy.float32(0.1),
                     numpy.float16(0.1), numpy.array(0.1), decimal.Decimal("1E-1")):
            self.assertEqual(vn.calibrate("laplace", epsilon=same), tenth, repr(same))
        self.assertGreaterEqual(fractions.Fraction(tenth.scale), 10)  # the double nearest to 0.1 would need less
        other = vn.calibrate("laplace", epsilon=repr(0.1) + "0" * 20 + "1")
        self.assertLessEqual(other.scale, tenth.scale)
        for one in (1, 1.0, True + 0, numpy.int8(1), numpy.uint64(1), "1", fractions.Fraction(1)):
            self.assertEqual(vn.calibrate("geometric", epsilon=1, sensitivity=one, cells=one).sensitivity, 1)

    def test_floats_mean_their_shortest_decimal(self):
        numbers = random.Random(7)
        for _ in range(500):
            value = float(f"{numbers.random():.{numbers.randrange(1, 17)}g}") * 10.0 ** numbers.randrange(-8, 4) or 1.0
            with self.subTest(value):
                self.assertEqual(vn.calibrate("laplace", epsilon=value), vn.calibrate("laplace", epsilon=repr(value)))

    def test_fractions_lie_beside_their_first_sixty_digits(self):
        with decimal.localcontext(decimal.Context(prec=60, rounding=decimal.ROUND_DOWN)):
            for n in range(3, 100):
                decimals = decimal.Decimal(n) / 101
                self.assertEqual(vn.calibrate("laplace", epsilon=fractions.Fraction(n, 101)), vn.calibrate("laplace", epsilon=decimals))

    def test_integers_come_out_for_integer_noise(self):
        for mechanism in MECHANISMS:
            found = vn.calibrate(mechanism, scale=20.3)
            kind = int if mechanism in ("geometric", "discrete-gaussian") else float
            self.assertEqual([type(found.accuracy), type(found.accuracy_strict)], [kind, kind])
            self.assertEqual(found.accuracy_strict - found.accuracy, 1 if kind is int else 0)
            self.assertEqual(vn.accuracy(mechanism, scale=20.3), found.accuracy)

    def test_what_is_no_number_is_named(self):
        for value, kind in ((True, "a bool"), (numpy.bool_(True), "a bool"), ({}, "a dict"), (1j, "a complex"), (b"1", "a bytes"),
                            (object(), "an object"), ({1, 2}, "a set"), (numpy.datetime64("2020-01-01"), "a datetime64"),
                            (lambda: 1, "a function")):
            with self.subTest(kind), self.assertRaisesRegex(vn.InvalidError, f"^epsilon is {kind}"):
                vn.calibrate("laplace", epsilon=value)
        for key in ("alpha", "sensitivity", "cells"):
            with self.assertRaisesRegex(vn.InvalidError, f"^{key} is None; write a number"):
                vn.calibrate("laplace", epsilon=1, **{key: None})
        with self.assertRaisesRegex(vn.InvalidError, '^mechanism is an int; write text such as "laplace"'):
            vn.calibrate(3, epsilon=1)
        for text in ("\ud800", "0x1", "1e400", "", "nan", "1_000", " 1"):
            with self.assertRaises(vn.InvalidError):
                vn.calibrate("laplace", epsilon=text)
        for huge in (10**400, 10**5000, fractions.Fraction(10**400), -fractions.Fraction(1, 2), decimal.Decimal("NaN")):
            with self.assertRaisesRegex(vn.InvalidError, "^epsilon"):
                vn.calibrate("laplace", epsilon=huge)


class Rows(unittest.TestCase):
    def test_each_is_the_calibration_of_its_number(self):
        epsilons = [0.1, 0.25, 1, 3]
        for mechanism in MECHANISMS:
            delta = 1e-6 if "gaussian" in mechanism else None
            for given in (epsilons, tuple(epsilons), numpy.array(epsilons), pandas.Series(epsilons), list(map(str, epsilons)),
                          numpy.array(epsilons)[::-1][::-1]):
                found = vn.calibrate(mechanism, epsilon=given, delta=delta)
                singles = [vn.calibrate(mechanism, epsilon=epsilon, delta=delta) for epsilon in epsilons]
                self.assertEqual(list(found), singles)
                self.assertEqual(found.accuracy.dtype, numpy.int64 if type(singles[0].accuracy) is int else numpy.float64)
                self.assertEqual(len(found), 4)
                self.assertEqual(found.to_pandas().shape, (4, len(found.to_dict())))
            self.assertIs(vn.calibrate(mechanism, scale=[1, 2]).delta is None, delta is not None)

    def test_every_statement_may_be_a_row(self):
        for key, values in {"scale": [1, 2], "accuracy": [3, 4], "alpha": [0.1, 0.2], "delta": [1e-5, 1e-6]}.items():
            other = {"epsilon": 1} if key in ("alpha", "delta") else {}
            found = vn.calibrate("discrete-gaussian", **({"delta": 1e-6} | other | {key: values}))
            self.assertEqual(getattr(found, key).tolist() if key != "accuracy" else values, values)
        both = vn.calibrate("laplace", epsilon=[1, 2], alpha=[0.1, 0.2])
        self.assertEqual(both[1], vn.calibrate("laplace", epsilon=2, alpha=0.2))

    def test_sentences_name_the_number_that_is_wrong(self):
        for given, words in (([1, -1], r"^epsilon\[1\] must not be negative"), ([], "^epsilon is empty"), ([1, None], r"^epsilon\[1\] is None"),
                             (numpy.ones((2, 2)), "^epsilon has more than one dimension"), ([1, "x"], r"^epsilon\[1\]"),
                             (numpy.array([1, numpy.nan]), r"^epsilon\[1\] must be a decimal number"), ([[1]], r"^epsilon\[0\] is a list"),
                             (range(10**12), "^epsilon has 1000000000000 numbers; give at most")):
            with self.subTest(given), self.assertRaisesRegex(vn.InvalidError, words):
                vn.calibrate("laplace", epsilon=given)
        with self.assertRaisesRegex(vn.InvalidError, "epsilon has 2 numbers and alpha has 3"):
            vn.calibrate("laplace", epsilon=[1, 2], alpha=[0.1, 0.2, 0.3])

    def test_threads_run_side_by_side(self):
        epsilons = numpy.geomspace(0.01, 10, 300)
        expected = vn.accuracy("gaussian", epsilon=epsilons, delta=1e-6)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for found in pool.map(lambda _: vn.accuracy("gaussian", epsilon=epsilons, delta=1e-6), range(8)):
                self.assertTrue((found == expected).all())


class Looks(unittest.TestCase):
    def test_every_figure_of_the_core_is_an_attribute_and_nothing_else_is(self):
        for found in (vn.calibrate("geometric", epsilon=1), vn.calibrate("geometric", epsilon=[1, 2])):
            kind = type(found)
            attributes = {name for name in dir(kind) if isinstance(getattr(kind, name), property)}
            self.assertEqual(attributes, set(found.to_dict()))

    def test_they_are_pickled_copied_compared_and_shown(self):
        one, row = vn.calibrate("geometric", epsilon=1), vn.calibrate("geometric", epsilon=[1, 2])
        for same in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            self.assertEqual((same, hash(same)), (one, hash(one)))
        self.assertNotEqual(one, vn.calibrate("geometric", epsilon=2))
        self.assertEqual(list(pickle.loads(pickle.dumps(row))), list(row))
        self.assertIn("accuracy=3", repr(one))
        self.assertIn("Calibrations of geometric noise", repr(row))
        for html in (one._repr_html_(), row._repr_html_()):
            self.assertRegex(html, "(?s)^<table>.*accuracy_strict.*</table>$")
        with self.assertRaises(AttributeError):
            one.scale = 3
        for kind in (vn.Calibration, vn.Calibrations):
            with self.assertRaisesRegex(vn.InvalidError, "is what vernier.calibrate gives back"):
                kind([1, 2])
        self.assertEqual(row[-1], row[1])
        with self.assertRaises(IndexError):
            row[2]
        with self.assertRaisesRegex(vn.InvalidError, "whole number"):
            row["scale"]

    def test_plots_have_the_mechanisms_and_the_point(self):
        axes = vn.calibrate("geometric", epsilon=1, delta=1e-6).plot()
        names = {text.get_text() for text in axes.get_legend().get_texts()}
        self.assertEqual(names, {"geometric", "laplace", "gaussian", "discrete-gaussian", "this release"})
        self.assertEqual(axes.get_xscale(), "log")
        dots = [line for line in axes.lines if len(line.get_xdata()) == 1] + list(axes.collections)
        self.assertTrue(dots)
        own = vn.calibrate("gaussian", epsilon=[0.1, 0.5], delta=1e-6, calibration="classical").plot(axes.figure.add_subplot())
        self.assertNotIn("this release", {text.get_text() for text in own.get_legend().get_texts()})
        with self.assertRaisesRegex(vn.InvalidError, "^delta is missing"):
            vn.calibrate("gaussian", scale=1).plot()


if __name__ == "__main__":
    unittest.main()
