"""What columns of pandas cost, beside each other and by CPU time, and that a small release takes no time to speak of. The
bounds leave room for a busy machine; docs/speed.md has what they are on a quiet one."""
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import numpy

import vernier as vn

ROWS = 400_000
NAMES = ["north", "south", "east", "west", "centre"]
ASKED = vn.Statistic("regions", "SELECT region, COUNT(*) AS n, SUM(age) AS s FROM people GROUP BY region")


def columns(pandas):
    """The same regions in four ways, each with its declaration."""
    codes = numpy.arange(ROWS) % 5
    texts = numpy.array(["".join(NAMES[code]) for code in codes], dtype=object)
    named = vn.Column("string", keys=NAMES)
    return {"integer": (vn.Column("integer", keys=list(range(5))), pandas.Series(codes)),
            "string": (named, pandas.Series(texts).astype("str")),
            "object": (named, pandas.Series(texts, dtype=object)),
            "category": (named, pandas.Series(pandas.Categorical.from_codes(codes, NAMES)))}


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


class Speed(unittest.TestCase):
    def test_of_columns_of_objects_and_of_categories(self):
        pandas = survey.need(self, "pandas")
        ages = numpy.arange(ROWS) % 100
        best = {}
        for round_ in range(4):
            for kind, (region, cells) in columns(pandas).items():
                declared = {"region": region, "age": vn.Column("integer", bounds=(0, 100))}
                def work():
                    frame = pandas.DataFrame({"region": cells, "age": ages})
                    vn.release(survey.study(frame, [ASKED], columns=declared, unit="row"), progress=False)
                best[kind] = min(best.get(kind, 9), seconds(work))
        self.assertLess(best["object"], 1.9 * best["string"], best)
        self.assertLess(best["category"], 1.8 * best["integer"], best)

    def test_of_a_small_release(self):
        study = survey.study(survey.ROWS, [survey.BY_REGION], epsilon=1, unit="row")
        vn.release(study, progress=False)
        self.assertLess(min(seconds(lambda: vn.release(study, again=True, progress=False)) for _ in range(12)), 0.03)


if __name__ == "__main__":
    unittest.main()
