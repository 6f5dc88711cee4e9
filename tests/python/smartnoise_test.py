"""Catalogs from the metadata of SmartNoise, which releases can be made with."""
import os
import pathlib
import subprocess
import sys
import unittest

from own_folder import OwnFolderTest

import vernier as vn
from vernier.compat.smartnoise import import_metadata

# After the documentation of SmartNoise SQL: a collection, a schema, a table with its options and columns.
METADATA = """engine: postgres
Census:
  public:
    pums:
      row_privacy: False
      rows: 1000
      max_ids: 1
      sample_max_ids: True
      censor_dims: True
      clamp_counts: False
      clamp_columns: True
      use_dpsu: False
      age:
        type: int
        lower: 0.0
        upper: 100
      sex:
        type: string
        cardinality: 2
      income:
        type: float
        lower: 0
        upper: 500000
        missing_value: 0
      rate:
        type: float
        lower: 0.1
        upper: 0.9
      married:
        type: boolean
        nullable: True
      interviewed:
        type: datetime
      note:
        type: unknown
      pid:
        type: int
        private_id: True
"""


def filled(text):
    for line in ("epsilon = 1.0", "delta = 1e-6"):
        text = text.replace(f"# {line}", line)
    return text.replace('# source = "..."', 'source = "pums.csv"').replace('# unit = "..."', 'unit = "row"')


def table(columns):
    return import_metadata(f"d: {{s: {{t: {{{columns}}}}}}}")


def unit(columns):
    return next((line for line in table(columns).text.splitlines() if line.startswith("unit = ")), None)


class SmartNoiseTest(OwnFolderTest):
    def catalog(self, text):
        pathlib.Path("catalog.toml").write_text(text)
        return vn.Catalog.read("catalog.toml")

    def test_it_is_a_catalog_once_it_is_filled_in(self):
        imported = import_metadata(METADATA)
        with self.assertRaises(vn.InvalidError):
            self.catalog(imported.text)
        declared = self.catalog(filled(imported.text)).to_dict()["tables"][0]
        self.assertEqual((declared["name"], declared["unit"]), ("pums", "pid"))
        self.assertEqual([(one["name"], one["type"], one["lower"], one["upper"]) for one in declared["columns"]],
                         [("age", "integer", 0, 100), ("sex", "string", None, None), ("income", "real", 0, 500000),
                          ("rate", "real", 0.09999942779541016, 0.9000005722045898), ("married", "boolean", None, None),
                          ("interviewed", "date", None, None), ("pid", "integer", None, None)])

    def test_it_tells_what_is_open_and_what_is_left_out(self):
        imported = import_metadata(METADATA)
        self.assertEqual([note.line for note in imported.open], [4])
        turned = import_metadata(METADATA.replace("lower: 0.1", "lower: 1.1"))
        self.assertEqual([note.line for note in turned.open], [4, 27])
        self.assertIn("bounds of the column 'rate' are left open", turned.open[1].sentence)
        told = "\n".join(note.sentence for note in imported.left_out)
        for word in ("engine", "rows", "max_ids", "sample_max_ids", "censor_dims", "clamp_counts", "clamp_columns", "use_dpsu",
                     "cardinality", "missing_value", "nullable", "datetime", "unknown"):
            self.assertIn(word, told)

    def test_a_release_follows(self):
        self.catalog(filled(import_metadata(METADATA).text))
        rows = "".join(f"{i % 90},m,{i},0.5,true,2020-01-01,{i}\n" for i in range(500))
        pathlib.Path("pums.csv").write_text("age,sex,income,rate,married,interviewed,pid\n" + rows)
        study = vn.Study(vn.Catalog.read("catalog.toml"), [vn.Statistic("people", "SELECT COUNT(*) AS n FROM pums")], epsilon=0.5)
        self.assertAlmostEqual(vn.release(study)["n"].value, 500, delta=60)

    def test_a_unit_is_chosen_only_where_one_is_meant(self):
        one = "a: {type: int, private_id: True}"
        self.assertEqual(unit(one), 'unit = "a"')
        self.assertEqual(unit(one + ", row_privacy: True"), 'unit = "row"')
        self.assertEqual(unit(one + ", row_privacy: no"), 'unit = "a"')
        for columns in ("a: {type: int}", one + ", b: {type: string, private_id: yes}", "row: {type: int}, row_privacy: True"):
            self.assertIsNone(unit(columns), columns)

    def test_odd_bounds_are_left_open(self):
        for bounds in ("lower: 3, upper: 3", "lower: 4, upper: 3", "lower: 0, upper: 1e300", "lower: 0.5, upper: 2", "lower: 0"):
            imported = table(f"x: {{type: int, {bounds}}}")
            self.assertIn('x = { type = "integer" }', imported.text, bounds)
            self.assertIn("bounds of the column 'x' are left open", " ".join(note.sentence for note in imported.open))

    def test_tables_of_two_schemas_keep_apart(self):
        imported = import_metadata("d: {s: {t: {a: {type: int}}}, r: {T: {a: {type: int}}}}")
        self.assertEqual(self.catalog(filled(imported.text)).tables, ["t", "r.T"])

    def test_odd_names_stay_in_their_remarks(self):
        imported = table('"a\\"]": {type: int, "odd\\nkey": 1}')
        self.assertEqual(self.catalog(filled(imported.text)).to_dict()["tables"][0]["columns"][0]["name"], 'a"]')

    def test_what_is_no_metadata_is_one_sentence(self):
        for text, saying in (("", "must have a collection"), ("- a", "must have a collection"), ("a: [", "line 1: this cannot be read as YAML"),
                             ("[" * 50000, "nested too deeply"), ("a: 1\na: 2", "line 2: the key 'a' stands here twice"),
                             ("engine: spark", "there is no collection"), ("d: {s: 1}", "the schema 's' must have tables below it"),
                             ("a: {s: {t: {x: {type: int}}}}\nb: {s: {t: {x: {type: int}}}}", "line 2: this is a second collection"),
                             ("d: {s: {t: {rows: 3}}}", "the table 't' has no columns"),
                             ("d: {s: {t: {x: {lower: 3}}}}", "the column 'x' has no type"),
                             (METADATA.replace("type: boolean", "type: money"), "line 30: the type of the column 'married' must be int"),
                             ("d: {s: {t: {x: {type: int, lower: '0', upper: 3}}}}", "lower of the column 'x' must be a number"),
                             ("d: {s: {t: {x: {type: int, lower: 0, upper: .inf}}}}", "upper of the column 'x' must be a number"),
                             ("d: {s: {t: {x: {type: int, private_id: maybe}}}}", "private_id of the column 'x' must be True or False")):
            with self.subTest(text[:40]), self.assertRaises(vn.InvalidError) as raised:
                import_metadata(text)
            self.assertIn(saying, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))

    def test_it_is_a_command(self):
        run = lambda *words: subprocess.run([sys.executable, "-m", "vernier.compat.smartnoise", *words], capture_output=True, text=True)
        pathlib.Path("m.yaml").write_text(METADATA)
        self.assertEqual(run("m.yaml").stdout.replace("m.yaml", "a text"), import_metadata(METADATA).text)
        self.assertEqual((run().returncode, run("no.yaml").returncode), (2, 1))
        pathlib.Path("m.yaml").write_text("a: 1")
        self.assertEqual((run("m.yaml").returncode, run("m.yaml").stderr.count("\n")), (2, 1))
        self.assertEqual(os.listdir("."), ["m.yaml"])


if __name__ == "__main__":
    unittest.main()
