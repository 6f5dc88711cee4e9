"""One million incomes: log-normal, whole, in [0, 200000]. Usage: data.py FOLDER"""

import os
import sys

ROWS, GREATEST = 1_000_000, 200_000
FILE = "incomes.i32"


def path(folder):
    return os.path.join(folder, FILE)


def write(folder):
    import numpy  # of the peers' environment; the task itself does without

    if os.path.exists(path(folder)):
        return
    os.makedirs(folder, exist_ok=True)
    incomes = numpy.random.default_rng(7).lognormal(10.5, 0.7, ROWS)
    part = path(folder) + ".part"
    numpy.clip(numpy.rint(incomes), 0, GREATEST).astype("<i4").tofile(part)
    os.replace(part, path(folder))


def read(folder):
    import numpy

    return numpy.fromfile(path(folder), dtype="<i4")


if __name__ == "__main__":
    write(sys.argv[1])
