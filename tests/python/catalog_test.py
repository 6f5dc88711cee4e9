"""vn.Catalog: declared in a program or read from a file, by the same rules as the command line's."""
import datetime
import decimal
import fractions
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import numpy

import vernier as vn
from vernier import _toml

AGE = vn.Column("integer", bounds=(0, 100))


def catalog_of(column=AGE, budget=None, **keys):
    table = vn.Table({"age": column}, **{"unit": "row", **keys})
    return vn.Catalog(budget or vn.Budget(epsilon=1), {"people": table}, folder=survey.folder())


def checked_by_the_command_line(text):
    """The sentences of `vernier catalog check` without their places."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "c.toml").write_text(text)
        done = subprocess.run([sys.executable, "-m", "vernier", "catalog", "check", "c.toml"], cwd=folder, text=True,
                              capture_output=True, check=False)
    return [line.split(": ", 1)[1] for line in done.stderr.splitlines() + done.stdout.splitlines() if line.startswith("c.toml:")]


class Declared(unittest.TestCase):
    def test_every_key_of_a_catalog_has_its_word(self):
        people = vn.Table(
            {"id": "integer", "age": vn.Column("integer", lower=0, upper=100, labels={0: "newborn"}),
             "income": vn.Column("real", bounds=(0, 2048), granularity=0.5),
             "born": vn.Column("date", bounds=(datetime.date(1900, 1, 1), datetime.date(2025, 12, 31))),
             "region": vn.Column("string", keys=["north", 'the "south"', "Ömsk"]), "adult": {"type": "boolean"}},
            unit="id", source=pathlib.Path("people.csv"), format="csv", delimiter=";", quoted=False, neighbours="replace",
            row_limit=1000, sampled=0.1, expressions={"old": "age > 60", "half": {"sql": "age / 2", "lower": 0, "upper": 40}})
        places = vn.Table({"region": "string"}, public=True, source="places.csv")
        made = vn.Catalog(vn.Budget(epsilon=3, delta="1e-6", ledger=pathlib.Path("a.ledger"), accountant="rdp", witness="w",
                                    conversion="never", shares={"anna": 0.5, "Institute of Health": decimal.Decimal("0.25")}),
                          {"people": people, "places": places}, views={"old people": {"table": "people", "where": "old"}})
        stated = made.to_dict()
        self.assertEqual([stated["budget"][key] for key in ("accountant", "witness", "conversion")], ["rdp", "w", "never"])
        table = next(one for one in stated["tables"] if one["name"] == "people")
        columns = {one["name"]: one for one in table["columns"]}
        self.assertEqual([columns["age"][key] for key in ("lower", "upper", "labels")], [0, 100, {"0": "newborn"}])
        self.assertEqual(columns["region"]["keys"], ["north", 'the "south"', "Ömsk"])
        self.assertEqual([columns["income"][key] for key in ("lower", "upper", "granularity")], [0, 2048, 0.5])
        self.assertEqual(columns["born"]["upper"], "2025-12-31")
        self.assertEqual([table[key] for key in ("unit", "format", "neighbours", "row_limit", "source")],
                         ["id", "csv", "replace", 1000, "people.csv"])
        self.assertEqual(len(table["expressions"]), 2)
        self.assertEqual([one["name"] for one in stated["views"]], ["old people"])
        budget = stated["budget"]
        self.assertEqual([budget[key] for key in ("epsilon", "delta", "ledger", "accountant", "witness")],
                         [3, 1e-6, "a.ledger", "rdp", "w"])
        self.assertEqual(len(budget["shares"]), 2)
        self.assertEqual(sorted(made.tables), ["people", "places"])

    def test_a_table_lies_in_several_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in (1, 2):
                pathlib.Path(folder, f"part-{part}.jsonl").write_text('{"age": 40, "tags": [1]}\n{"age": "30"}\nno object\n')
            pathlib.Path(folder, "more.csv").write_text("age\n50\n")
            for source, people, total in (("part-*.jsonl", 6, 140), ([pathlib.Path("part-1.jsonl"), "part-2.jsonl"], 6, 140),
                                          (("more.csv",), 1, 50)):
                with self.subTest(source):
                    table = vn.Table({"age": AGE}, unit="row", source=source)
                    catalog = vn.Catalog(vn.Budget(epsilon=5000), {"people": table}, folder=folder)
                    asked = vn.query(catalog, "SELECT COUNT(*) AS n, SUM(age) AS s FROM people", epsilon=1500, again=True)
                    self.assertEqual((asked["n"].value, asked["s"].value), (people, total))

    def test_it_says_what_its_file_would_say(self):
        made = catalog_of()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "catalog.toml")
            path.write_text(made.to_toml())
            again = vn.Catalog.read(path)
        self.assertEqual(again.to_dict(), made.to_dict())
        self.assertEqual(again.to_toml(), made.to_toml())
        self.assertEqual((again.path, made.path), (path, None))

    def test_numbers_are_exact_as_they_are_written(self):
        for epsilon, text in ((0.1, "0.1"), ("0.30", "0.30"), (decimal.Decimal("1E-2"), "0.01"), (fractions.Fraction(1, 8), "125e-3"),
                              (numpy.float64(0.1), "0.1"), (numpy.int32(2), "2"), (1e-6, "1e-06"), (7, "7")):
            with self.subTest(epsilon=epsilon):
                self.assertIn(f"epsilon = {text}\n", catalog_of(budget=vn.Budget(epsilon=epsilon)).to_toml())

    def test_a_declaration_shows_no_data(self):
        table = vn.Table({"age": AGE}, unit="row", data={"age": [7654321]})
        self.assertNotIn("7654321", repr(table))
        self.assertNotIn("7654321", repr(vn.Catalog(vn.Budget(epsilon=1), {"people": table}, folder=survey.folder())))

    def test_notebooks_see_a_table(self):
        self.assertIn("<td style=\"text-align: left\">age</td>", catalog_of()._repr_html_())


class Refused(unittest.TestCase):
    def refusal(self, make):
        with self.assertRaises(vn.InvalidError) as raised:
            make()
        return str(raised.exception)

    def test_the_sentences_are_those_of_the_command_line_in_the_words_of_python(self):
        words = ((' in double quotes', ''), (' without quotes', ''), ('2026-01-31', 'datetime.date(2026, 1, 31)'), ('takes no key', 'takes no argument'),
                 ('its keys are', 'its arguments are'), ('true or false', 'True or False'), ('a table such as { people = 50 }', 'a dictionary such as {"people": 50}'))
        wrong = {"NaN": vn.Column("real", bounds=(float("nan"), 1)), "infinite": vn.Column("real", bounds=(0, float("inf"))),
                 "upside down": vn.Column("integer", bounds=(5, 1)), "type": vn.Column("number"), "day": vn.Column("date", bounds=(1, 2)),
                 "half": vn.Column("integer", lower=1), "keys": vn.Column("string", keys=[1, 2]), "truth": vn.Column("boolean", keys=["yes"]),
                 "granularity": vn.Column("real", bounds=(0, 1), granularity=0.01), "unknown key": {"type": "string", "kays": []}}
        for name, column in wrong.items():
            with self.subTest(name):
                entries = column if isinstance(column, dict) else column._entries()
                text = _toml.document({}, {"budget": {"epsilon": 1}, "tables.people": {"unit": "row", "format": "arrow"},
                                           "tables.people.columns": {"age": entries}})
                sentences = checked_by_the_command_line(text)
                self.assertTrue(sentences)
                for file, python in words:
                    sentences = [one.replace(file, python) for one in sentences]
                self.assertEqual(self.refusal(lambda: catalog_of(column)).splitlines(), sentences)

    def test_all_that_is_wrong_is_told_at_once(self):
        sentence = self.refusal(lambda: catalog_of(vn.Column("number"), budget=vn.Budget(epsilon=0)))
        self.assertEqual(len(sentence.splitlines()), 2, sentence)

    def test_a_file_is_named_with_line_and_column(self):
        path = pathlib.Path(survey.folder(), "bad.toml")
        path.write_text(catalog_of().to_toml().replace("integer", "intager"))
        self.assertIn(f"{path}:9:", self.refusal(lambda: vn.Catalog.read(path)))

    def test_values_that_toml_has_not_are_refused_by_name(self):
        for keys, said in (({"type": "string", "keys": {"a"}}, "keys"), ({"type": "integer", "bounds": 5}, "bounds"),
                           ({"type": "integer", "bounds": (1, 2, 3)}, "bounds"), ({"type": "integer", "bounds": (0, 1), "lower": 0}, "bounds"),
                           ({"type": "date", "bounds": (datetime.time(12), 1)}, "lower"), ({"type": "real", "bounds": (object(), 1)}, "lower"),
                           ({"type": b"real"}, "type"), ({"type": "string", "keys": ["\ud800"]}, "keys"),
                           ({"type": "real", "bounds": (fractions.Fraction(1, 3), 1)}, "lower"), ({"type": "string", "labels": {(1,): "x"}}, "a name"),
                           ({"type": "string", "keys": range(10**12)}, "keys")):
            with self.subTest(said=said, keys=str(keys)):
                self.assertIn(said, self.refusal(lambda: vn.Column(**keys)))
        deep = []
        deep.append(deep)
        self.assertIn("nested", self.refusal(lambda: vn.Budget(epsilon=deep)))

    def test_a_declaration_never_changes(self):
        for change in (lambda: setattr(AGE, "type", "real"), lambda: AGE.__init__("real"), lambda: setattr(AGE, "other", 1)):
            self.refusal(change)
        self.assertEqual(AGE.type, "integer")

    def test_wrong_kinds_of_parts_are_refused(self):
        table = vn.Table({"age": AGE}, unit="row")
        for make in (lambda: vn.Catalog(1, {"people": table}), lambda: vn.Catalog(vn.Budget(epsilon=1), [table]),
                     lambda: vn.Catalog(vn.Budget(epsilon=1), {"people": {}}), lambda: vn.Catalog(vn.Budget(epsilon=1), {None: table}),
                     lambda: vn.Table([AGE]), lambda: vn.Table(None),
                     lambda: vn.Catalog(vn.Budget(epsilon=1), {"people": table}, views={"old": 1}),
                     lambda: vn.Catalog(vn.Budget(epsilon=1), {"people": table}, folder=3),
                     lambda: vn.Catalog(vn.Budget(epsilon=True), {"people": table}),
                     lambda: vn.Catalog.read(7), lambda: vn.Catalog.read("a\0b"), lambda: vn.Catalog.read(""),
                     lambda: vn.Catalog(vn.Budget(epsilon=1), {"people": vn.Table({"age": AGE}, unit="row", data={"age": [1]}, source="x.csv")})):
            self.refusal(make)

    def test_no_value_of_any_kind_is_more_than_an_error(self):
        draw = random.Random(1)
        atoms = [None, True, 0, -1, 2**70, 0.5, float("nan"), "", "a", "\0", "\ud800", b"x", object(), decimal.Decimal("sNaN"),
                 fractions.Fraction(1, 3), datetime.date(2026, 1, 1), numpy.float32(1), numpy.array([1, 2]), 1j, range(3), [[[]]], {}]

        def value(depth=0):
            kind = draw.randrange(6) if depth < 3 else 0
            if kind == 4:
                return [value(depth + 1) for _ in range(draw.randrange(4))]
            return {draw.choice(["a", 1, None]): value(depth + 1)} if kind == 5 else draw.choice(atoms)

        refused = 0
        for _ in range(1500):
            try:
                catalog_of(vn.Column(draw.choice(["integer", "real", "string", value()]), bounds=value(), keys=value(), labels=value()),
                           budget=vn.Budget(epsilon=draw.choice([1, value()]), shares=value()), row_limit=value(), expressions=value())
            except vn.Error as error:
                refused += 1
                self.assertTrue(str(error))
        self.assertGreater(refused, 1000)


class Kept(unittest.TestCase):
    def test_pickling_leaves_the_rows_behind(self):
        made = survey.catalog(survey.ROWS)
        self.assertEqual(list(made._frames), ["people"])
        again = pickle.loads(pickle.dumps(made))
        self.assertEqual((again.to_toml(), again._frames, again._located), (made.to_toml(), {}, made._located))
        with self.assertRaisesRegex(vn.InvalidError, "no rows are given"):
            vn.release(vn.Study(again, [survey.COUNT], epsilon=1), progress=False)

    def test_it_stays_in_its_folder(self):
        home = survey.folder()
        os.makedirs(os.path.join(home, "inner"))
        pathlib.Path(home, "inner", "catalog.toml").write_text(catalog_of().to_toml())
        before = os.getcwd()
        try:
            os.chdir(home)
            made = vn.Catalog.read("inner/catalog.toml")
            os.chdir(os.path.join(home, "inner"))
            self.assertEqual(vn.Ledger(made).left["epsilon"], 1)
            vn.release(vn.Study(made, [vn.Statistic("people", "SELECT COUNT(*) AS n FROM people")], epsilon=0.5), data={"people": {"age": [1]}})
        finally:
            os.chdir(before)
        self.assertTrue(os.path.exists(os.path.join(home, "inner", "catalog.ledger")))


if __name__ == "__main__":
    unittest.main()
