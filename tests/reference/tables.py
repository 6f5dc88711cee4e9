"""Makes the reference tables, or checks them row by row against the oracle.

Usage: python3 tests/reference/tables.py (--write | --check) [FOLDER]
"""
import csv
import pathlib
import random
import sys
from decimal import Decimal as D

import oracle

HERE = pathlib.Path(__file__).resolve().parent

# Of each table its columns, and what computes the last one of them from the others.
TABLES = {
    "margin": (("mechanism", "scale", "alpha", "margin"), oracle.margin),
    "scale_of_margin": (("mechanism", "margin", "alpha", "scale"), oracle.scale_of_margin),
    "epsilon_of_margin": (("mechanism", "margin", "alpha", "l1_sensitivity", "epsilon"), oracle.epsilon_of_margin),
    "gaussian_sigma": (("calibration", "epsilon", "delta", "l2_sensitivity", "sigma"), oracle.gaussian_sigma),
    "delta_of_scale": (("mechanism", "scale", "sensitivity", "epsilon", "delta"), oracle.delta_of_scale),
    "epsilon_of_scale": (("mechanism", "scale", "sensitivity", "delta", "epsilon"), oracle.epsilon_of_scale),
    "composition": (("kind", "parameters", "given (epsilon, or delta for gaussian-epsilon)", "value"), oracle.composition),
}


def argument(text):
    """A number is the double nearest to its decimal; a name, or a list of numbers, is text."""
    try:
        return D(float(text))
    except ValueError:
        return text


def value(table, inputs):
    return TABLES[table][1](*map(argument, inputs))


def written(number):
    if isinstance(number, int):
        return str(number)
    return f"{number:.24e}" if number else "0.0"


class Draw:
    """Inputs with six digits, the same in every run."""

    def __init__(self):
        self.numbers = random.Random(20261117)

    def between(self, low, high):
        """Log-uniform."""
        return f"{low * (high / low) ** self.numbers.random():.6g}"

    def whole(self, low, high):
        return str(round(float(self.between(low, high))))

    def pick(self, *choices):
        return self.numbers.choice(choices)

    def alpha(self):
        return self.pick("0.5", "0.1", "0.05", "0.01", "0.001", self.between(1e-9, 0.9), self.between(1e-300, 1e-9))

    def delta(self):
        return self.pick("1e-06", "1e-09", self.between(1e-12, 0.4), self.between(1e-300, 1e-12))


def margins(draw):
    for mechanism, most in (("laplace", 1e7), ("gaussian", 1e7), ("discrete-laplace", 1e7), ("discrete-gaussian", 3e3)):
        for _ in range(40):
            yield mechanism, draw.between(0.02, most), draw.alpha()


def scales_of_margins(draw):
    for _ in range(12):
        yield "gaussian", draw.between(0.1, 1e6), draw.alpha()
        yield "discrete-gaussian", draw.whole(1, 300), draw.pick("0.1", "0.05", "0.01", draw.between(1e-12, 0.5))


def epsilons_of_margins(draw):
    for _ in range(20):
        yield "laplace", draw.between(0.1, 1e6), draw.alpha(), draw.between(0.1, 1e3)
        yield "discrete-laplace", draw.whole(1, 1e6), draw.alpha(), draw.whole(1, 30)


def sigmas(draw):
    for _ in range(15):
        inputs = draw.between(1e-3, 0.99), draw.between(1e-12, 0.01), draw.between(0.01, 1e3)
        yield "classical", *inputs
        yield "dwork-roth-tight", *inputs
    for _ in range(45):
        yield "analytic", draw.between(1e-4, 1e3), draw.delta(), draw.between(0.01, 1e3)


def deltas_of_scales(draw):
    for _ in range(20):
        scale = float(draw.between(0.2, 1e4))
        yield "gaussian", f"{scale:.6g}", "1", f"{float(draw.between(0.01, 20)) / scale:.6g}"
    for _ in range(24):
        scale, shift = float(draw.between(0.2, 500)), int(draw.whole(1, 12))
        yield "discrete-gaussian", f"{scale:.6g}", str(shift), f"{float(draw.between(0.01, 30)) * shift / scale:.6g}"


def epsilons_of_scales(draw):
    for _ in range(25):
        yield "gaussian", draw.between(0.2, 1e4), "1", draw.delta()
    for _ in range(15):
        yield "discrete-gaussian", draw.between(0.2, 50), draw.whole(1, 12), draw.delta()


def compositions(draw):
    for _ in range(12):
        epsilons = [draw.between(0.01, 1) for _ in range(draw.numbers.randint(2, 10))]
        yield "optimal", " ".join(epsilons), f"{sum(map(float, epsilons)) * draw.numbers.random():.6g}"
    for kind, low, high in (("optimal-homogeneous", 1e-3, 0.5), ("discrete-laplace", 2, 100)):
        for _ in range(11):
            each, times = draw.between(low, high), draw.pick(5, 10, 50, 100, 500, 1000)
            one = 1 / float(each) if kind == "discrete-laplace" else float(each)
            yield kind, f"{each} x {times}", f"{one * (times ** 0.5 + times * one) * draw.numbers.random():.6g}"
    for _ in range(8):
        yield "gaussian-epsilon", " ".join(draw.between(2, 100) for _ in range(draw.numbers.randint(2, 30))), draw.delta()


INPUTS = {"margin": margins, "scale_of_margin": scales_of_margins, "epsilon_of_margin": epsilons_of_margins,
          "gaussian_sigma": sigmas, "delta_of_scale": deltas_of_scales, "epsilon_of_scale": epsilons_of_scales,
          "composition": compositions}


def write(folder):
    draw = Draw()
    for table, (columns, _) in TABLES.items():
        with open(folder / f"{table}.csv", "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(columns)
            for inputs in INPUTS[table](draw):
                rows.writerow((*inputs, written(value(table, inputs))))


def differences(folder):
    """The rows whose value the oracle does not find again to 24 digits."""
    for table in TABLES:
        with open(folder / f"{table}.csv", encoding="utf-8") as file:
            for *inputs, stated in list(csv.reader(file))[1:]:
                found = D(value(table, inputs))
                if abs(found - D(stated)) > abs(found) * D("1e-24"):
                    yield f"{table}: {inputs} has {stated}, and the oracle finds {found:.25g}"


def main(words):
    folder = pathlib.Path(words[1]) if len(words) > 1 else HERE
    if words[:1] == ["--write"]:
        write(folder)
        return 0
    if words[:1] != ["--check"]:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(differences(folder))
    print("\n".join(found) or "every row is what the oracle finds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
