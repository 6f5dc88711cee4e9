"""One odd cell in a frame: pandas, polars and lists make another type of the whole column. It is NULL or what it is in the
declared type, every other cell is what it was, and nothing is refused, since a refusal would tell of the cell. In the usual
run every cell is tried in two of the five types, with VERNIER_ODD_CELLS=1 in all."""
import datetime
import decimal
import fractions
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import numpy

import vernier as vn

DAY = datetime.date(2020, 2, 29)
TIME = datetime.datetime(2020, 2, 29, 23, 30)
ZONE = datetime.timezone(datetime.timedelta(hours=-11))


class Raises:
    """A cell that is a program of its own."""

    def __getattr__(self, name):
        raise RuntimeError(name)


# Of each declared type: the type, cells of a column of it, and a condition that some of them meet.
CLEAN = {"boolean": (vn.Column("boolean"), [True, False, True], "x"),
         "integer": (vn.Column("integer", bounds=(-10, 100)), [7, 12, -3], "x >= 7"),
         "real": (vn.Column("real", bounds=(-8, 64), granularity=1), [0.5, 2.0, float("inf")], "x > 1"),
         "string": (vn.Column("string"), ["7", "north", "süd"], "x = '7'"),
         "date": (vn.Column("date"), [DAY, datetime.date(1999, 1, 1), datetime.date(1, 1, 1)], "x > DATE '1999-01-01'")}

ODD = [None, float("nan"), "x", "", "12", " 12 ", "2020-02-29", "true", "\ud800", "\0", 12, 12.5, 3.0, -0.0, float("inf"), True, b"x",
       b"\xff", object(), Raises(), [1], {"a": 1}, (1, 2), 2**63, -2**63, 2**64, 2**200, 10**5000, 1j, decimal.Decimal("12"),
       decimal.Decimal("1.5"), decimal.Decimal("NaN"), decimal.Decimal("1e999999"), fractions.Fraction(1, 2), DAY, TIME,
       TIME.replace(tzinfo=ZONE), TIME.replace(tzinfo=datetime.timezone.utc), datetime.time(1), datetime.timedelta(1), numpy.int8(3),
       numpy.float32(0.1), numpy.bool_(True), numpy.str_("x"), numpy.datetime64("2020-02-29"), numpy.datetime64("2020-02-29T10:00", "ns"),
       numpy.datetime64("NaT"), numpy.timedelta64(1, "D"), numpy.array([1, 2]), int, len]
WHOLE = bool(os.environ.get("VERNIER_ODD_CELLS"))  # every cell in every type: two minutes more
ROWS = 60
UNIT = 77  # of the odd cell


def odd_of_pandas(pandas):
    return [pandas.NaT, pandas.NA, pandas.Timestamp(TIME, tz="UTC"), pandas.Period("2020-02"), pandas.Interval(0, 1), pandas.Timedelta("1 day"),
            pandas.Categorical(["a"])]


def cells(declared, more=()):
    clean = CLEAN[declared][1]
    return {"id": [*range(ROWS), *[UNIT] * len(more)], "x": [*(clean * ROWS)[:ROWS], *more]}


def asked(frame, declared):
    """The plan, and what is released of all rows but the odd one, at a budget at which noise is nothing."""
    column, _, condition = CLEAN[declared]
    statistics = [vn.Statistic("there", "SELECT COUNT(x) AS n FROM people WHERE id < 60"),
                  vn.Statistic("some", f"SELECT COUNT(*) AS n FROM people WHERE id < 60 AND {condition}")]
    if declared in ("integer", "real"):
        statistics.append(vn.Statistic("sum", "SELECT SUM(x) AS n FROM people WHERE id < 60"))
    columns = {"id": vn.Column("integer"), "x": column}
    study = survey.study(frame, statistics, epsilon=9000, epsilon_of_all=9000, alpha="1e-12", columns=columns)
    plan = re.sub(r"/\S+", "", str(vn.plan(study)))  # but for folders, which are new each time
    released = vn.release(study, progress=False)
    # Counts are exact at this epsilon and alpha; a sum has finer steps, and noise far below one half.
    return plan, [(table.names, [round(row["n"]["value"]) for row in table.rows]) for table in released.values()]


def made(make, columns):
    """The frame; None where the library itself takes no such cell. Polars panics with what is no Exception."""
    try:
        return make(columns)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return None


class OddCells(unittest.TestCase):
    def expect_same(self, declared, make, odd):
        base = asked(make(cells(declared)), declared)
        place = list(CLEAN).index(declared)
        for number, cell in enumerate(odd):
            if not WHOLE and (number - place) % len(CLEAN) not in (0, 2):
                continue
            frame = made(make, cells(declared, [cell]))
            with self.subTest(declared=declared, kind=type(cell).__name__, number=number):
                if frame is None:
                    continue
                plan, released = asked(frame, declared)
                self.assertEqual(plan, base[0])
                self.assertEqual([names for names, _ in released], [names for names, _ in base[1]])
                if self.has_kept(frame, declared):
                    self.assertEqual(released, base[1])

    def has_kept(self, frame, declared):
        """Whether the library left the other cells what they were: polars makes numbers of days beside a number, and texts of numbers."""
        if type(frame).__module__.startswith("polars"):
            return frame["x"].dtype.is_numeric() == (declared in ("integer", "real")) and not frame["x"].dtype.is_nested()
        return True

    def test_in_lists(self):
        survey.need(self, "pyarrow")
        for declared in CLEAN:
            self.expect_same(declared, lambda columns: columns, ODD)

    def test_in_pandas(self):
        pandas = survey.need(self, "pandas")
        for declared in CLEAN:
            self.expect_same(declared, pandas.DataFrame, ODD + odd_of_pandas(pandas))

    def test_in_columns_of_objects(self):
        pandas = survey.need(self, "pandas")
        for declared in CLEAN:
            self.expect_same(declared, lambda columns: pandas.DataFrame(columns, dtype=object), [None, "x", 12, b"x", TIME])

    def test_in_polars(self):
        polars = survey.need(self, "polars")
        for declared in CLEAN:
            self.expect_same(declared, lambda columns: polars.DataFrame(columns, strict=False), ODD)
            self.expect_same(declared, lambda columns: polars.DataFrame(
                {"id": columns["id"], "x": polars.Series(columns["x"], dtype=polars.Object)}), [None, "x", 12, TIME])


class AllNull(unittest.TestCase):
    """Where no other row has a value, one cell alone makes the type of the column, whatever it is."""

    def test_but_one(self):
        for library in ("lists", "pandas", "polars"):
            frames = None if library == "lists" else survey.need(self, library)
            make = (lambda columns: columns) if frames is None else frames.DataFrame
            for declared in ("integer", "string"):
                self.expect_same(declared, make, frames)

    def expect_same(self, declared, make, frames):
        empty = {"id": list(range(ROWS)), "x": [None] * ROWS}
        base = asked(make(empty), declared)
        for cell in [*ODD, *(odd_of_pandas(frames) if frames is not None and frames.__name__ == "pandas" else [])]:
            frame = made(make, {"id": [*empty["id"], UNIT], "x": [*empty["x"], cell]})
            with self.subTest(declared=declared, kind=type(cell).__name__):
                if frame is not None:
                    self.assertEqual(asked(frame, declared), base)


class Rule(unittest.TestCase):
    """What a cell is in a declared type."""

    def released(self, declared, cell, condition):
        survey.need(self, "pyarrow")
        columns = {"id": vn.Column("integer"), "x": CLEAN[declared][0]}
        count = vn.Statistic("people", f"SELECT COUNT(*) AS people FROM people WHERE id = {UNIT} AND {condition}")
        rows = cells(declared, [cell, object()])  # the last one, so that no column is read at once
        rows["id"][-1] = UNIT + 1
        return vn.release(survey.study(rows, [count], epsilon=900, columns=columns), progress=False)["people"].rows[0]["people"]["value"]

    def test_is_that_of_files(self):
        for declared, cell, condition in (
                ("integer", 3.0, "x = 3"), ("integer", " 12 ", "x = 12"), ("integer", True, "x = 1"), ("integer", numpy.int8(3), "x = 3"),
                ("integer", decimal.Decimal(12), "x = 12"), ("real", 3, "x = 3"), ("real", "1e1", "x = 10"), ("real", False, "x = 0"),
                ("boolean", 1, "x"), ("boolean", 0.0, "NOT x"), ("boolean", "FALSE", "NOT x"), ("string", 12, "x = '12'"),
                ("string", 12.0, "x = '12'"), ("string", True, "x = 'true'"), ("string", DAY, "x = '2020-02-29'"), ("string", 2**64, f"x = '{2**64}'"), ("string", b"x", "x = 'x'"),
                ("integer", 3 + 0j, "x = 3"),
                ("date", "2020-02-29", "x = DATE '2020-02-29'"), ("date", TIME, "x = DATE '2020-02-29'"),
                ("date", TIME.replace(tzinfo=ZONE), "x = DATE '2020-02-29'"), ("date", numpy.datetime64("2020-02-29T23:59", "ns"), "x = DATE '2020-02-29'")):
            with self.subTest(declared=declared, cell=cell):
                self.assertEqual(self.released(declared, cell, condition), 1)
        for declared, cell in (("integer", 2.5), ("integer", "2.5"), ("integer", 2**63), ("integer", "x"), ("integer", DAY), ("integer", b"\xff"), ("integer", 7 + 1j),
                               ("real", "nan"), ("real", DAY), ("boolean", 2), ("boolean", "yes"), ("string", b"\xff"), ("string", float("nan")),
                               ("date", 20200229), ("date", "29.2.2020"), ("date", 1.0), ("date", datetime.time(1))):
            with self.subTest(declared=declared, cell=cell):
                self.assertEqual(self.released(declared, cell, "x IS NULL"), 1)


if __name__ == "__main__":
    unittest.main()
