"""A cell that is run again: the same question over the same rows is paid for once, and rows are read in one state."""
import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import vernier as vn

ROWS = survey.ROWS


def catalog(data, folder, **keys):
    """As a cell builds it, again and again, over one ledger."""
    table = vn.Table(survey.COLUMNS, unit="id", data=data, **keys)
    return vn.Catalog(vn.Budget(epsilon=2, ledger="survey.ledger"), {"people": table}, folder=folder)


def release(data, folder, statistic=survey.COUNT, epsilon=0.5, **keys):
    study = vn.Study(catalog(data, folder), [statistic], epsilon=epsilon)
    return vn.release(study, progress=False, **keys)


def changed(place, value):
    return {**ROWS, "age": [value if i == place else age for i, age in enumerate(ROWS["age"])]}


class Repeats(unittest.TestCase):
    def test_four_runs_of_a_cell_cost_one(self):
        folder = survey.folder()
        runs = [release(ROWS, folder) for _ in range(4)]
        self.assertEqual([one.repeated for one in runs], [False, True, True, True])
        self.assertEqual({one.record for one in runs}, {runs[0].record})
        self.assertTrue(all(abs(one.left["epsilon"] - 1.5) < 1e-6 for one in runs))
        self.assertAlmostEqual(vn.Ledger(catalog(ROWS, folder)).spent["epsilon"], 0.5, delta=1e-6)

    def test_it_says_what_it_took_what_is_left_and_whether_it_is_a_repeat(self):
        folder = survey.folder()
        first, second = release(ROWS, folder), release(ROWS, folder)
        for one in (first, second):
            self.assertIn("the ledger took epsilon 0.5 and delta 0 for each id", repr(one))
            self.assertIn("there is epsilon 1.49999 and delta 0 left" if one.left["epsilon"] < 1.5 else "there is epsilon 1.5 and delta 0 left", repr(one))
            self.assertIn("left", one._repr_html_())
        self.assertNotIn("nothing was taken now", repr(first))
        self.assertIn("this is the stored answer to the same question, and nothing was taken now", repr(second))

    def test_again_pays_for_new_noise(self):
        folder = survey.folder()
        noisy = survey.BY_REGION
        runs = [release(ROWS, folder, noisy, again=again) for again in (False, True, True)]
        self.assertEqual([one.repeated for one in runs], [False] * 3)
        self.assertEqual(len({one.record for one in runs}), 3)
        self.assertEqual(len(vn.Ledger(catalog(ROWS, folder)).history()), 7)
        self.assertTrue(release(ROWS, folder, noisy).repeated)

    def test_other_rows_questions_and_analysts_are_new(self):
        folder = survey.folder()
        release(ROWS, folder, epsilon=0.1)
        other = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people WHERE age > 30")
        for one in (release(changed(0, 21), folder, epsilon=0.1), release(changed(599, None), folder, epsilon=0.1),
                    release(ROWS, folder, other, epsilon=0.1), release(ROWS, folder, epsilon=0.11),
                    release(ROWS, folder, epsilon=0.1, analyst="anna"),
                    release({name: values[::-1] for name, values in ROWS.items()}, folder, epsilon=0.1)):
            self.assertFalse(one.repeated)
        self.assertTrue(release(ROWS, folder, epsilon=0.1).repeated)

    def test_the_same_rows_of_any_library_are_the_same(self):
        folder = survey.folder()
        release(ROWS, folder)
        pandas, polars, arrow = (survey.need(self, name) for name in ("pandas", "polars", "pyarrow"))
        more = {**ROWS, "not declared": ROWS["id"]}
        for data in (pandas.DataFrame(ROWS), polars.DataFrame(ROWS), arrow.table(ROWS), arrow.table(more), pandas.DataFrame(more),
                     arrow.Table.from_batches(arrow.table(ROWS).to_batches(max_chunksize=7))):
            with self.subTest(type(data)):
                self.assertTrue(release(data, folder).repeated)

    def test_a_file_is_the_same_while_its_bytes_are(self):
        folder = pathlib.Path(survey.folder())
        def write(age):
            rows = "\n".join(f"{i},{age},north" for i in range(200))
            (folder / "people.csv").write_text(f"id,age,region\n{rows}\n")
        def run():
            table = vn.Table(survey.COLUMNS, unit="id", source="people.csv")
            made = vn.Catalog(vn.Budget(epsilon=2), {"people": table}, folder=folder)
            return vn.release(vn.Study(made, [survey.COUNT], epsilon=0.5), progress=False).repeated
        write(30)
        self.assertEqual([run(), run()], [False, True])
        write(30)
        self.assertTrue(run())
        write(31)
        self.assertFalse(run())

    def test_it_lasts_beyond_the_process(self):
        folder = survey.folder()
        release(ROWS, folder)
        program = textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
            import vernier as vn
            columns = {{"id": vn.Column("integer"), "age": vn.Column("integer", bounds=(0, 100)), "region": vn.Column("string", keys=["north", "south"])}}
            rows = {{"id": list(range(600)), "age": [20 + i % 60 for i in range(600)], "region": [["north", "south"][i % 3 == 0] for i in range(600)]}}
            table = vn.Table(columns, unit="id", data=rows)
            catalog = vn.Catalog(vn.Budget(epsilon=2, ledger="survey.ledger"), {{"people": table}}, folder={folder!r})
            study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.5)
            print(vn.release(study, progress=False).repeated)
        """)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "True\n")

    def test_ids_of_ones_own(self):
        folder = survey.folder()
        self.assertFalse(release(ROWS, folder, request="2026-1").repeated)
        self.assertTrue(release(changed(0, 21), folder, request="2026-1").repeated)
        for keys, words in (({"request": ""}, "request is an empty text, which is no id"),
                            ({"request": "x", "again": True}, "leave one of them out"), ({"again": 1}, "again is an int")):
            with self.subTest(keys), self.assertRaisesRegex(vn.InvalidError, words):
                release(ROWS, folder, **keys)

    def test_documents_that_were_not_made_are_named(self):
        folder = survey.folder()
        release(ROWS, folder)
        with self.assertWarnsRegex(UserWarning, "which was made without page; again=True pays for a new release"):
            self.assertIsNone(release(ROWS, folder, documents=["page"]).report_html)

    def test_queries_and_bounds_repeat_too(self):
        folder = survey.folder()
        asked = [vn.query(catalog(ROWS, folder), "SELECT COUNT(*) AS total FROM people", epsilon=0.5, progress=False) for _ in range(2)]
        self.assertEqual([one.repeated for one in asked], [False, True])
        self.assertEqual(asked[0]["total"].value, asked[1]["total"].value)
        found = [vn.bounds(catalog(ROWS, folder), "people.age", epsilon=0.5, progress=False) for _ in range(2)]
        self.assertEqual([one.release.repeated for one in found], [False, True])
        self.assertEqual(found[0].to_dict(), found[1].to_dict())


class Secrets(unittest.TestCase):
    """Nothing that is written lets somebody confirm a guess of the rows."""

    def ids(self, folder):
        with sqlite3.connect(os.path.join(folder, "survey.ledger")) as ledger:
            return [row[0] for row in ledger.execute("SELECT request FROM entries WHERE request <> ''")]

    def test_the_id_needs_the_key_of_the_installation(self):
        folder, other = survey.folder(), survey.folder()
        release(ROWS, folder)
        kept = os.environ["XDG_CONFIG_HOME"]
        try:
            os.environ["XDG_CONFIG_HOME"] = survey.folder()
            release(ROWS, other)
        finally:
            os.environ["XDG_CONFIG_HOME"] = kept
        self.assertEqual([len(one) for one in self.ids(folder) + self.ids(other)], [37, 37])
        self.assertNotEqual(self.ids(folder), self.ids(other))

    def test_it_is_no_plain_hash_of_what_somebody_could_guess(self):
        folder = survey.folder()
        release(ROWS, folder)
        packed = b"".join(age.to_bytes(8, "little") for age in ROWS["age"])
        guesses = [packed, json.dumps(ROWS).encode(), repr(ROWS).encode(), b"".join(i.to_bytes(8, "little") for i in ROWS["id"])]
        for guess in guesses:
            for name in ("sha256", "sha1", "md5", "blake2b"):
                self.assertNotIn(hashlib.new(name, guess).hexdigest()[:32], self.ids(folder)[0])

    def test_it_is_in_no_record_and_no_document(self):
        folder = survey.folder()
        made = release(ROWS, folder, documents=True)
        for name, content in made.documents.items():
            self.assertNotIn(self.ids(folder)[0].encode(), content, name)


class OneState(unittest.TestCase):
    """A frame that is changed after it was given: what is read is what was given, numbers and texts alike."""

    def check(self, frame, change):
        folder = survey.folder()
        columns = {"n": vn.Column("integer", bounds=(0, 1)), "word": vn.Column("string", keys=["old", "new"])}
        made = vn.Catalog(vn.Budget(epsilon=1e4), {"t": vn.Table(columns, unit="row", data=frame)}, folder=folder)
        change()
        found = vn.query(made, "SELECT word, SUM(n) AS n, COUNT(*) AS people FROM t GROUP BY word", epsilon=1e3, progress=False)
        rows = {row["word"]: (round(row["people"].value), round(row["n"].value)) for row in found["query"]}
        self.assertEqual(rows, {"old": (500, 0), "new": (0, 0)})

    def test_pandas(self):
        pandas = survey.need(self, "pandas")
        for kind in ("int64", "float64", "object", "Int64"):
            frame = pandas.DataFrame({"n": pandas.Series([0] * 500, dtype=kind), "word": ["old"] * 500})
            with self.subTest(kind):
                def change(frame=frame):
                    frame.loc[:, "n"] = 1
                    frame.iloc[:, 1] = "new"
                self.check(frame, change)

    def test_numpy(self):
        numpy = survey.need(self, "numpy")
        data = {"n": numpy.zeros(500, int), "word": numpy.array(["old"] * 500, object)}
        def change():
            data["n"][:] = 1
            data["word"][:] = "new"
        self.check(data, change)

    def test_lists_and_polars(self):
        data = {"n": [0] * 500, "word": ["old"] * 500}
        def change():
            data["n"][:] = [1] * 500
            data["word"][:] = ["new"] * 500
        self.check(data, change)
        polars = survey.need(self, "polars")
        frame = polars.DataFrame({"n": [0] * 500, "word": ["old"] * 500})
        def write():
            for i in range(500):
                frame[i, "n"] = 1
                frame[i, "word"] = "new"
        self.check(frame, write)

    def test_arrays_of_pandas_by_themselves(self):
        pandas = survey.need(self, "pandas")
        data = {"n": pandas.array([0] * 500, dtype="Int64"), "word": pandas.Categorical(["old"] * 500, categories=["old", "new"])}
        def change():
            data["n"][:] = 1
            data["word"][:] = "new"
        self.check(data, change)

    def test_arrow_over_memory_that_others_write_into_is_refused_once_they_did(self):
        numpy, arrow, polars = survey.need(self, "numpy"), survey.need(self, "pyarrow"), survey.need(self, "polars")
        columns = {"n": vn.Column("integer", bounds=(0, 1)), "word": vn.Column("string", keys=["old", "new"])}
        for make in (lambda rows: rows, polars.from_arrow, lambda rows: rows.to_batches()[0], lambda rows: {name: rows[name] for name in rows.column_names}):
            numbers, other = numpy.zeros(500, int), numpy.zeros(500, int)
            rows = make(arrow.table({"n": numbers, "word": ["old"] * 500, "other": other}))
            made = vn.Catalog(vn.Budget(epsilon=1e4), {"t": vn.Table(columns, unit="row", data=rows)}, folder=survey.folder())
            asked = lambda: vn.query(made, "SELECT SUM(n) AS n FROM t", epsilon=1, again=True, progress=False)
            other[:] = 1  # which nobody asks
            asked()
            for change in (lambda: numbers.__setitem__(499, 1), lambda: numbers.__setitem__(slice(None), 1)):
                change()
                with self.subTest(make), self.assertRaisesRegex(vn.InvalidError, "^the rows of the table 't' were changed after they were given; declare"):
                    asked()
            numbers[:] = 0
            asked()
            self.assertAlmostEqual(vn.Ledger(made).spent["epsilon"], 2, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
