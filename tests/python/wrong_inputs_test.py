"""Wrong inputs, each with its sentence in the words of Python, and with the advice put in and accepted."""
import datetime
import decimal
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import vernier as vn

# What a sentence about something that Python built must not speak of.
TOML = re.compile(r"\[\[|\[tables|\[budget|\[engine|without quotes|double quotes|\bline [0-9]|a table such as|\b[a-z_]+ = [\"\[{0-9]|<catalog>|<study>|--")

COUNT = "SELECT COUNT(*) AS people FROM people"


def catalog(columns=None, budget=None, views=None, **table):
    columns = {"age": vn.Column("integer", bounds=(0, 100))} if columns is None else columns
    tables = {"people": vn.Table(columns, **{"unit": "row", **table})}
    return vn.Catalog(vn.Budget(epsilon=2) if budget is None else budget, tables, views=views, folder=survey.folder())


def column(*given, **named):
    return lambda: catalog({"x": vn.Column(*given, **named)})


def study(*statistics, **keys):
    return lambda: vn.Study(catalog(), list(statistics), **{"epsilon": 1, **keys})


def statistic(sql=COUNT, name="people", **keys):
    return lambda: study(vn.Statistic(name, sql, **keys))()


DAY = datetime.date(2026, 1, 31)

# What is wrong, some of its sentence, and what the sentence asks for.
WRONG = [
    (column("date", bounds=("2026-01-01", "2026-12-31")), "a date such as datetime.date(2026, 1, 31)", column("date", bounds=(datetime.date(2026, 1, 1), DAY.replace(month=12)))),
    (column("date", bounds=(1, 2)), "a date such as datetime.date(2026, 1, 31)", column("date", bounds=(datetime.datetime(2026, 1, 1, 12), DAY))),
    (column("integer", bounds=(0, 1.5)), "a whole number such as 16", column("integer", bounds=(0, 2))),
    (column("integer", bounds=(100, 0)), "put the smaller one first", column("integer", bounds=(0, 100))),
    (column("integer", bounds=(0,)), "write (lower, upper), for example (0, 100)", column("integer", bounds=(0, 100))),
    (column("integer", bounds=(0, 100), lower=0), "give them once", column("integer", lower=0, upper=100)),
    (column("integer", lower=0), "write both, or none", column("integer", lower=0, upper=1)),
    (column("integer", bounds=(0, 2**60)), "write narrower bounds", column("integer", bounds=(0, 2**53))),
    (column("string", bounds=("a", "b")), "leave lower and upper out, or declare keys", column("string", keys=["a", "b"])),
    (column("string", keys="north"), "must be a list with a key in it", column("string", keys=["north"])),
    (column("string", keys=[]), "leave it out where keys are private", column("string")),
    (column("string", keys=["a", "a"]), "write it once", column("string", keys=["a"])),
    (column("string", keys=[1]), 'a text such as "north"', column("string", keys=["1"])),
    (column("integer", keys=["1"]), "a whole number such as 16", column("integer", keys=[1])),
    (column("integer", keys=[200], bounds=(0, 100)), "within its bounds, 0 to 100", column("integer", keys=[100], bounds=(0, 100))),
    (column("boolean", keys=["true"]), "True or False", column("boolean", keys=[True, False])),
    (column("real", keys=[0.5]), "leave them out and group it with BUCKET", column("real", bounds=(0, 1))),
    (column("real", bounds=(0, 1), granularity=0.3), "write 0.25 or 0.5", column("real", bounds=(0, 1), granularity=0.25)),
    (column("integer", granularity=1), "leave it out", column("integer")),
    (column("string", labels={"a": 1}), 'a text such as "north"', column("string", labels={"a": "1"})),
    (column("string", labels=["a"]), "a dictionary such as", column("string", labels={"a": "b"})),
    (column("text"), "must be boolean, integer, real, string or date", column("string")),
    (column(int), 'write "integer", "real", "string", "boolean" or "date"', column("integer")),
    (lambda: catalog({"x": 3}), 'vn.Column("integer")', column("integer")),
    (lambda: catalog({"x": {"type": "integer", "kind": 3}}), "its arguments are", column("integer")),
    (lambda: catalog({"x": "integr"}), "did you mean integer?", lambda: catalog({"x": "integer"})),
    (lambda: catalog([1]), "write a dictionary", catalog),
    (lambda: catalog({}), "has no columns", catalog),
    (lambda: catalog(unit=None), 'unit="person_id"', catalog),
    (lambda: catalog(unit="name"), "unit", lambda: catalog(unit="age")),
    (lambda: catalog(neighbours="both"), "must be add-remove or replace", lambda: catalog(neighbours="replace")),
    (lambda: catalog(row_limit=0), "a whole number from 1 to", lambda: catalog(row_limit=10)),
    (lambda: catalog(delimiter=";"), "is for CSV only", lambda: catalog(delimiter=";", source="people.csv")),
    (lambda: catalog(source="people.txt"), 'add format="csv" or format="parquet"', lambda: catalog(source="people.txt", format="csv")),
    (lambda: catalog(source="https://a/b.csv"), "it is an address", lambda: catalog(source="b.csv")),
    (lambda: catalog(source="people.csv", data={"age": [1]}), "leave one of them out", lambda: catalog(data={"age": [1]})),
    (lambda: catalog(source="people.csv", quoted="no"), "True or False", lambda: catalog(source="people.csv", quoted=False)),
    (lambda: catalog(data="people.csv"), "a file is declared as source= of the table", lambda: catalog(source="people.csv")),
    (lambda: catalog(data=[1, 2]), "give a pandas or polars frame", lambda: catalog(data={"age": [1, 2]})),
    (lambda: catalog(max_rows=0), "a whole number from 1 to", lambda: catalog({"age": "integer"}, unit="age", max_rows=2)),
    (lambda: catalog(budget=vn.Budget(epsilon=0)), "epsilon", lambda: catalog(budget=vn.Budget(epsilon="0.1"))),
    (lambda: catalog(budget=vn.Budget(epsilon=1, delta=2)), "delta", lambda: catalog(budget=vn.Budget(epsilon=1, delta=decimal.Decimal("1e-6")))),
    (lambda: catalog(budget=vn.Budget(epsilon="much")), "write one such as 0.5", lambda: catalog(budget=vn.Budget(epsilon=0.5))),
    (lambda: catalog(budget=vn.Budget(epsilon=1, accountant="gdp")), "must be zcdp, rdp or pure", lambda: catalog(budget=vn.Budget(epsilon=1, delta=1e-6, accountant="rdp"))),
    (lambda: catalog(budget=vn.Budget(epsilon=1, shares={})), "names nobody", lambda: catalog(budget=vn.Budget(epsilon=1, shares={"anna": 0.5}))),
    (lambda: catalog(budget=vn.Budget(epsilon=1, shares={"anna": 2})), "a number above 0 and at most 1", lambda: catalog(budget=vn.Budget(epsilon=1, shares={"anna": 1}))),
    (lambda: catalog(budget={"epsilon": 1}), "write vn.Budget(epsilon=1, delta=1e-6)", catalog),
    (lambda: catalog(views={"a": 3}), "dictionary of dictionaries", lambda: catalog(views={"a": {"table": "people", "where": "age >= 18"}})),
    (lambda: vn.Catalog(vn.Budget(epsilon=1), {}), 'write for example {"people": vn.Table(...)}', catalog),
    (study(), 'write for example [vn.Statistic("people"', statistic()),
    (lambda: vn.Study(catalog(), COUNT, epsilon=1), "no list of vn.Statistic", statistic()),
    (study(vn.Statistic("a", COUNT), vn.Statistic("A", COUNT)), "has the name of another one, up to case", study(vn.Statistic("a", COUNT), vn.Statistic("b", COUNT))),
    (study(vn.Statistic("a", COUNT), epsilon=None), "give the study an epsilon, or the statistic an accuracy", statistic(accuracy={"people": 5})),
    (study(vn.Statistic("a", COUNT), alpha=2), "must be between 1e-200 and 0.5", study(vn.Statistic("a", COUNT), alpha=0.01)),
    (statistic(accuracy=5), 'a dictionary such as {"people": 50', statistic(accuracy={"people": 50})),
    (statistic(accuracy={}), "accuracy", statistic(accuracy={"people": 50})),
    (statistic(accuracy={"persons": 5}), "people", statistic(accuracy={"people": 5})),
    (statistic(max_groups="many"), "write one such as", statistic(max_groups="1")),
    (statistic(covers="all"), "must be sample or population", statistic(covers="sample")),
    (statistic(denoise=True), 'a text such as', statistic("SELECT BUCKET(age, 10) AS a, COUNT(*) AS n FROM people GROUP BY 1", denoise="james-stein")),
    (statistic(simultaneous="yes"), "True or False", statistic(simultaneous=True)),
    (statistic("SELECT age FROM people"), "", statistic()),
    (statistic("SELECT COUNT(*) AS n FROM persons"), "people", statistic()),
    (lambda: vn.query(catalog(data={"age": [1]}), COUNT), "epsilon=0.1, or accuracy=50", lambda: vn.query(catalog(data={"age": [1]}), COUNT, epsilon=0.1)),
    (lambda: vn.query(catalog(data={"age": [1]}), COUNT, accuracy=[5]), 'a dictionary such as {"people": 50}', lambda: vn.query(catalog(data={"age": [1]}), COUNT, accuracy=50)),
    (lambda: vn.query(catalog(data={"age": [1]}), COUNT, epsilon=0.1, accuracy=1), "raise the budget, or relax the accuracy", lambda: vn.query(catalog(data={"age": [1]}), COUNT, epsilon=2, accuracy=5)),
    (lambda: vn.bounds(catalog(data={"age": [1]}), "age", epsilon=0.1), "such as people.income", lambda: vn.bounds(catalog(data={"age": [1]}), "people.age", epsilon=0.1)),
    (lambda: vn.bounds(catalog(data={"age": [1]}), "people.age", epsilon=0), "epsilon", lambda: vn.bounds(catalog(data={"age": [1]}), "people.age", epsilon=0.1)),
]


class WrongInputs(unittest.TestCase):
    def test_there_are_enough_of_them(self):
        self.assertGreaterEqual(len(WRONG), 60)

    def test_each_has_its_sentence_and_none_speaks_of_toml(self):
        for place, (wrong, words, _) in enumerate(WRONG):
            with self.subTest(place=place, words=words):
                with self.assertRaises(vn.Error) as raised:
                    wrong()
                sentence = str(raised.exception)
                self.assertIn(words, sentence)
                self.assertIsNone(TOML.search("\n".join(line for line in sentence.split("\n") if not line.startswith("  "))), sentence)
                self.assertIsInstance(raised.exception, ValueError)

    def test_what_the_sentence_asks_for_is_accepted(self):
        for place, (_, words, right) in enumerate(WRONG):
            with self.subTest(place=place, words=words):
                self.assertIsNotNone(right())


class Days(unittest.TestCase):
    def test_days_of_every_library_are_bounds(self):
        numpy, pandas = survey.need(self, "numpy"), survey.need(self, "pandas")
        for lower in (datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1, 23, 59), numpy.datetime64("2026-01-01"),
                      numpy.datetime64("2026-01-01T12:00:00"), pandas.Timestamp("2026-01-01 12:00"), pandas.Timestamp("2026-01-01", tz="UTC")):
            with self.subTest(lower):
                made = catalog({"day": vn.Column("date", bounds=(lower, datetime.date(2026, 12, 31)))})
                self.assertEqual(made.to_dict()["tables"][0]["columns"][0]["lower"], "2026-01-01")
        for wrong in (numpy.datetime64("NaT"), pandas.NaT):
            with self.assertRaisesRegex(vn.InvalidError, "no day of the years 1 to 9999"):
                catalog({"day": vn.Column("date", bounds=(wrong, DAY))})


class Bounds(unittest.TestCase):
    def test_bounds_between_points_of_the_grid_are_moved_outward_and_shown(self):
        for lower, upper in ((0, 0.1), (-0.1, 0.3), (1e-3, 1e3 + 0.1), (0, "0.1")):
            with self.subTest((lower, upper)):
                made = catalog({"share": vn.Column("real", lower=vn_number(lower), upper=vn_number(upper))})
                told = made.to_dict()["tables"][0]["columns"][0]
                self.assertLessEqual(told["lower"], float(lower))
                self.assertGreaterEqual(told["upper"], float(upper))
                self.assertLess(told["upper"] - told["lower"], (float(upper) - float(lower)) * 1.00001)
                self.assertIn(f"{told['lower']} to {told['upper']}", made._repr_html_())

    def test_a_declared_granularity_is_kept_to(self):
        with self.assertRaisesRegex(vn.InvalidError, "no multiple of the granularity 0.25"):
            catalog({"share": vn.Column("real", bounds=(0, 0.1), granularity=0.25)})


def vn_number(value):
    return float(value)


class OfPython(unittest.TestCase):
    """Errors are those that Python has for the same."""

    def test_a_missing_file_is_a_missing_file(self):
        for call in (lambda: vn.Catalog.read("nowhere.toml"), lambda: vn.Study.read("nowhere.toml"), lambda: vn.release("nowhere.toml"),
                     lambda: vn.Release.read("nowhere"), lambda: vn.verify("nowhere.json")):
            with self.assertRaises(FileNotFoundError) as raised:
                call()
            self.assertIsInstance(raised.exception, vn.FailedError)
        folder = survey.folder()
        os.mkdir(os.path.join(folder, "catalog.toml"))
        with self.assertRaises(OSError):
            vn.Catalog.read(os.path.join(folder, "catalog.toml"))

    def test_a_key_that_is_not_there_is_a_key_error(self):
        released = vn.release(survey.study(), progress=False)
        for call in (lambda: released["nothing"], lambda: released["people"]["nothing"]):
            with self.assertRaises(KeyError) as raised:
                call()
            self.assertIn("people", str(raised.exception))
            self.assertFalse(str(raised.exception).startswith("'"))

    def test_files_speak_of_files(self):
        path = pathlib.Path(survey.folder(), "catalog.toml")
        path.write_text('[budget]\nepsilon = 1\n[tables.people]\nsource = "a.csv"\nunit = "row"\n[tables.people.columns]\nday = { type = "date", lower = 1, upper = 2 }\n')
        with self.assertRaisesRegex(vn.InvalidError, r"catalog.toml:7:\d+: .* a date without quotes such as 2026-01-31"):
            vn.Catalog.read(path)


if __name__ == "__main__":
    unittest.main()
