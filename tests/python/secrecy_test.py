"""Nothing that a release leaves behind tells a value without noise: every object that can be reached from it, its pickle, its
files and its errors are searched for the exact sums of rows that nobody else has."""
import gc
import os
import pathlib
import pickle
import tempfile
import types
import unittest

import pandas as pd
import survey  # noqa: F401  (a home of its own)

import vernier as vn

# A total of ten digits, which stands nowhere by chance but once in 10,000 runs; the noise is far wider than a step.
ROWS = 4_211
SECRET = 700_001
TOTAL = ROWS * SECRET


def asked(folder):
    people = pd.DataFrame({"income": [SECRET] * ROWS})
    table = vn.Table({"income": vn.Column("integer", bounds=(0, 1_000_000))}, unit="row", data=people)
    catalog = vn.Catalog(vn.Budget(epsilon=5, ledger="ledger.db"), {"people": table}, folder=folder)
    sql = "SELECT COUNT(*) AS people, SUM(income) AS total, AVG(income) AS income FROM people"
    return vn.Study(catalog, [vn.Statistic("all", sql)], epsilon=0.02)


def reached(start, deepest=6):
    """What can be reached from an object by references and attributes, but modules, types and functions."""
    seen, layer = {}, [start]
    for _ in range(deepest):
        found = []
        for thing in layer:
            if id(thing) in seen or isinstance(thing, (types.ModuleType, type, types.FunctionType, types.CodeType, pd.DataFrame)):
                continue
            seen[id(thing)] = thing
            found += gc.get_referents(thing)
            found += [getattr(thing, name, None) for name in dir(thing) if not name.startswith("__")] if type(thing).__module__.startswith("vernier") else []
        layer = found
    return list(seen.values())


class SecrecyTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.release = vn.release(asked(self.folder), out=os.path.join(self.folder, "out"), progress=False)

    def test_no_object_has_an_exact_sum(self):
        for thing in reached(self.release):
            if isinstance(thing, (int, float)):
                self.assertNotIn(thing, (TOTAL, float(SECRET), SECRET))

    def test_no_text_has_one(self):
        shown = [repr(self.release), self.release._repr_html_(), str(self.release.to_dict()), pickle.dumps(self.release).decode("latin-1")]
        shown += [content.decode("latin-1") for content in self.release.documents.values()]
        shown += [file.read_bytes().decode("latin-1") for file in pathlib.Path(self.folder).rglob("*") if file.is_file()]
        for text in shown:
            self.assertNotIn(str(TOTAL), text)

    def test_a_value_that_is_there_would_be_found(self):
        self.assertIn(TOTAL, [thing for thing in reached({"deep": [("down", {"sum": TOTAL})]}) if isinstance(thing, int)])

    def test_the_extension_gives_out_nothing_of_an_engine(self):
        names = [name.lower() for name in dir(vn._core)]
        for word in ("raw", "aggregate", "session", "engine", "duckdb", "sql", "exact"):
            self.assertFalse([name for name in names if word in name], word)


if __name__ == "__main__":
    unittest.main()
