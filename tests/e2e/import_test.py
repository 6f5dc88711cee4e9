"""`vernier catalog import` as a user runs it. Usage: import_test.py PROGRAM"""
import os
import unittest

from program import FolderTest, run

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
        lower: 0
        upper: 100
      sex:
        type: string
        cardinality: 2
      educ:
        type: string
        nullable: True
      income:
        type: float
        lower: 0
        upper: 500000
        missing_value: 0
      married:
        type: boolean
      interviewed:
        type: datetime
      pid:
        type: int
        private_id: True
"""


class Import(FolderTest):
    def filled(self, name):
        text = self.content(name)
        for line in ("epsilon = 1.0", "delta = 1e-6"):
            text = text.replace(f"# {line}", line)
        return text.replace('# source = "..."', 'source = "pums.csv"')

    def test_the_skeleton_is_a_catalog_once_it_is_filled_in(self):
        self.file("m.yaml", METADATA)
        told = self.text("catalog", "import", "m.yaml", "--out", "catalog.toml")
        self.assertIn("catalog.toml has a table from SmartNoise's metadata", told)
        for word in ("source of the table 'pums' is open", "max_ids", "sample_max_ids", "censor_dims", "clamp_counts", "clamp_columns",
                     "use_dpsu", "rows", "cardinality", "nullable", "missing_value", "datetime", "engine"):
            self.assertIn(word, told)
        done = run("catalog", "check", "catalog.toml")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stdout.splitlines()), 2, "epsilon and source")
        self.file("catalog.toml", self.filled("catalog.toml"))
        answer = self.json("catalog", "check", "catalog.toml")
        self.assertEqual(answer["problems"], [])
        table = answer["tables"][0]
        self.assertEqual((table["name"], table["unit"]), ("pums", "pid"))
        self.assertEqual([(c["name"], c["type"], c["lower"], c["upper"]) for c in table["columns"]],
                         [("age", "integer", 0, 100), ("sex", "string", None, None), ("educ", "string", None, None),
                          ("income", "real", 0, 500000), ("married", "boolean", None, None), ("interviewed", "date", None, None),
                          ("pid", "integer", None, None)])

    def test_an_imported_catalog_releases(self):
        self.file("m.yaml", METADATA)
        self.text("catalog", "import", "m.yaml", "--out", "catalog.toml")
        self.file("catalog.toml", self.filled("catalog.toml"))
        self.file("pums.csv", "age,sex,educ,income,married,interviewed,pid\n" +
                  "".join(f"{i % 90},{'fm'[i % 2]},x,{i},true,2020-01-01,{i}\n" for i in range(500)))
        answer = self.json("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM pums", "--epsilon", "0.5")
        self.assertAlmostEqual(answer["statistics"][0]["rows"][0]["n"]["value"], 500, delta=60)

    def test_without_a_file_it_goes_to_standard_output(self):
        self.file("m.yaml", METADATA)
        printed = self.text("catalog", "import", "m.yaml")
        self.assertIn('[tables.pums.columns]\nage = { type = "integer", lower = 0, upper = 100 }\n', printed)
        self.assertEqual(os.listdir("."), ["m.yaml"])
        answer = self.json("catalog", "import", "m.yaml")
        self.assertEqual(answer["text"], printed)
        self.assertEqual(answer["tables"], ["pums"])
        self.assertEqual([note["line"] for note in answer["open"]], [4])
        self.assertIn({"line": 7, "sentence": "max_ids: '1' of the table 'pums' belongs to the study: write max_rows and max_groups at a statistic"},
                      answer["left_out"])

    def test_what_is_there_is_never_replaced(self):
        self.file("m.yaml", METADATA)
        self.file("catalog.toml", "mine")
        self.assert_refused(["catalog", "import", "m.yaml", "--out", "catalog.toml"], 2, "exists already")
        self.assertEqual(self.content("catalog.toml"), "mine")

    def test_what_is_no_metadata_is_one_sentence(self):
        for text, saying in (("", "m.yaml:1:1: the file is empty"), ("a: &b [*b]\n", "m.yaml:1:4: anchors"), ("a: [\n", "m.yaml:2:1: this cannot be read as YAML"),
                             ("[" * 50000, "nested too deeply"), ("a: 1\na: 2\n", "m.yaml:2:1: the key 'a' stands here twice"),
                             (METADATA.replace("type: float", "type: money"), "m.yaml:24:15: the type of column 'income' must be int"),
                             (METADATA + METADATA, "stands here twice"), ("\x00", "cannot be read as YAML")):
            self.file("m.yaml", text)
            self.assert_refused(["catalog", "import", "m.yaml", "--out", "catalog.toml"], 2, saying)
        self.assertEqual(os.listdir("."), ["m.yaml"])

    def test_wrong_words(self):
        self.file("m.yaml", METADATA)
        self.assert_refused(["catalog", "import"], 2, "vernier catalog import metadata.yaml")
        self.assert_refused(["catalog", "import", "no.yaml"], 1, "no.yaml")
        self.assert_refused(["catalog", "imprt", "m.yaml"], 2, "did you mean import?")
        self.assert_refused(["catalog", "import", "m.yaml", "--delimiter", ";"], 2, "--delimiter belongs to 'vernier catalog new'")
        self.assert_refused(["catalog", "check", "m.yaml", "--out", "x"], 2, "--out belongs to")


if __name__ == "__main__":
    unittest.main()
