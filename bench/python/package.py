"""Vernier from Python, as its users call it."""

import vernier
from bench.python.cases import DRAWS, parse
from bench.worker import serve_calls
from vernier.compat import opendp


def prepare(line):
    kind, name, numbers = parse(line)
    if kind == "calibrate":
        calibrate = vernier.calibrate
        return [lambda: calibrate(name, **numbers).scale]
    if kind == "convert":
        convert, (first, alpha) = getattr(opendp, name), numbers
        return [lambda: convert(first, alpha)]
    law = vernier.law(name, *numbers)
    law.sample(1)  # builds its tables
    return [lambda: law.sample(DRAWS)[0]]


if __name__ == "__main__":
    serve_calls(prepare)
