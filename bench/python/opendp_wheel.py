"""OpenDP from Python, through its wheel: its accuracy conversions."""

import opendp.accuracy

from bench.python.cases import parse
from bench.worker import NotMeasured, serve_calls


def prepare(line):
    kind, name, numbers = parse(line)
    if kind != "convert":
        raise NotMeasured("its conversions alone are compared; bench/noise has its draws")
    convert = getattr(opendp.accuracy, name)
    return [lambda: convert(*numbers)]


if __name__ == "__main__":
    serve_calls(prepare)
