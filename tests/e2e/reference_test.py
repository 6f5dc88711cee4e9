"""Every row of the reference tables through the command line. Usage: reference_test.py PROGRAM"""
import csv
import math
import pathlib
import unittest
from fractions import Fraction

from program import ProgramTest, calibrate, compose

TABLES = pathlib.Path(__file__).resolve().parents[1] / "reference"
WIDEST = Fraction(1, 10**12)
WIDEST_COMPOSED = Fraction(1, 10**6)
LEAST_DOUBLE = math.ulp(0.0)


def rows(table):
    with open(TABLES / f"{table}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def any_delta(mechanism):
    """Accuracy does not depend on delta, but the Gaussians are never private without one."""
    return {"delta": "1e-6"} if mechanism.endswith("gaussian") else {}


def composed(kind, parameters):
    """The events of a row of the table of compositions: "s1 s2 ..." or "s x times"."""
    mechanism, key = {"optimal": ("pure", "epsilon"), "optimal-homogeneous": ("pure", "epsilon"),
                      "discrete-laplace": ("discrete-laplace", "scale"), "gaussian-epsilon": ("gaussian", "scale")}[kind]
    if " x " in parameters:
        value, times = parameters.split(" x ")
        return [f"{mechanism},{key}={value},times={times}"]
    return [f"{mechanism},{key}={value}" for value in parameters.split()]


class Reference(ProgramTest):
    """Every row of the tables, whose inputs are nearest doubles."""

    def assert_rounded_up(self, value, exact, row):
        value, exact = Fraction(value), Fraction(exact)
        self.assertGreaterEqual(value, exact, row)
        if value != Fraction(LEAST_DOUBLE):
            self.assertLessEqual(value, exact * (1 + WIDEST), row)

    def assert_rounded_down(self, value, exact, row):
        value, exact = Fraction(value), Fraction(exact)
        self.assertLessEqual(value, exact, row)
        self.assertGreaterEqual(value, exact * (1 - WIDEST), row)

    def test_accuracies_of_scales(self):
        for row in rows("margin"):
            mechanism = row["mechanism"]
            answer = self.json(*calibrate(mechanism, scale=row["scale"], alpha=row["alpha"], **any_delta(mechanism)))
            if mechanism.startswith("discrete"):
                self.assertEqual(Fraction(answer["accuracy"]), Fraction(row["margin"]), row)
                self.assertEqual(answer["accuracy_strict"], answer["accuracy"] + 1, row)
            else:
                self.assert_rounded_up(answer["accuracy"], row["margin"], row)

    def test_scales_of_budgets_by_the_three_calibrations(self):
        for row in rows("gaussian_sigma"):
            answer = self.json(*calibrate("gaussian", epsilon=row["epsilon"], delta=row["delta"],
                                          sensitivity=row["l2_sensitivity"],
                                          calibration=row["calibration"].removesuffix("-tight")))
            self.assert_rounded_up(answer["scale"], row["sigma"], row)

    def test_epsilons_of_scales(self):
        for row in rows("epsilon_of_scale"):
            answer = self.json(*calibrate(row["mechanism"], scale=row["scale"], delta=row["delta"],
                                          sensitivity=row["sensitivity"]))
            self.assert_rounded_up(answer["epsilon"], row["epsilon"], row)

    def test_deltas_of_scales_are_never_0(self):
        for row in rows("delta_of_scale"):
            answer = self.json(*calibrate(row["mechanism"], scale=row["scale"], epsilon=row["epsilon"],
                                          sensitivity=row["sensitivity"]))
            self.assert_rounded_up(answer["delta"], row["delta"], row)
            self.assertGreater(answer["delta"], 0, row)

    def test_epsilons_of_accuracies(self):
        for row in rows("epsilon_of_margin"):
            answer = self.json(*calibrate(row["mechanism"], accuracy=row["margin"], alpha=row["alpha"],
                                          sensitivity=row["l1_sensitivity"]))
            self.assert_rounded_up(answer["epsilon"], row["epsilon"], row)

    def test_scales_of_accuracies(self):
        for row in rows("scale_of_margin"):
            answer = self.json(*calibrate(row["mechanism"], accuracy=row["margin"], alpha=row["alpha"], delta="1e-6"))
            self.assert_rounded_down(answer["scale"], row["scale"], row)
            self.assertEqual(answer["accuracy"], float(row["margin"]), row)

    def test_compositions_lie_between_their_bounds(self):
        for row in rows("composition"):
            given = row["given (epsilon, or delta for gaussian-epsilon)"]
            asked, found = ("delta", "epsilon") if row["kind"] == "gaussian-epsilon" else ("epsilon", "delta")
            answer = self.json(*compose(*composed(row["kind"], row["parameters"]), **{asked: given}))
            upper, lower, exact = (Fraction(x) for x in (answer[found]["upper"], answer[found]["lower"], row["value"]))
            self.assertGreaterEqual(upper, exact, row)
            self.assertLessEqual(lower, exact, row)
            self.assertLessEqual(upper, exact * (1 + WIDEST_COMPOSED), row)


if __name__ == "__main__":
    unittest.main()
