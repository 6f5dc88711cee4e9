"""`vernier catalog` as a user runs it. Usage: catalog_test.py PROGRAM"""
import json
import os
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 3.0
delta = 1e-6

[tables.people]
source = "people.csv"
unit = "person_id"

[tables.people.columns]
person_id = { type = "integer" }
region = { type = "string", keys = ["north", "south"], labels = { north = "The North" } }
income = { type = "real", lower = 0, upper = 200000, granularity = 0.5 }
born = { type = "date", lower = 1900-01-01, upper = 2025-12-31 }
member = { type = "boolean", keys = [true, false] }
"""


class New(FolderTest):
    def test_a_new_catalog_is_checked_and_says_what_is_missing(self):
        self.file("people.csv", 'id,"income, EUR",größe\n1,2,3\n')
        self.assertIn("catalog.toml names the 3 columns of people.csv", self.text("catalog", "new", "people.csv"))
        done = run("catalog", "check", "catalog.toml")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "vernier: 'catalog.toml' has 5 problems; fix them and check again\n")
        self.assertEqual([line.split(";")[0].split(": ", 1)[1] for line in done.stdout.splitlines()],
                         ["[budget] has no epsilon", "the table 'people' has no unit", "the column 'id' has no type",
                          "the column 'income, EUR' has no type", "the column 'größe' has no type"])

    def test_nothing_but_names_comes_from_the_data(self):
        self.file("people.csv", "id,name\n1,Secretia\n2,Hidden\n")
        answer = self.json("catalog", "new", "people.csv", "--out", "c.toml")
        self.assertEqual(answer, {"catalog": "c.toml", "table": "people", "source": "people.csv", "columns": ["id", "name"]})
        with open("c.toml", encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "Secretia|Hidden")

    def test_a_file_without_a_header_is_refused_unquoted(self):
        for line in ("Anna,12\n", "Anna,2001-05-07\n", "Anna,-1.5e3\n"):
            self.file("people.csv", line)
            done = run("catalog", "new", "people.csv")
            self.assertEqual(done.returncode, 2)
            self.assertIn("column 2 of the first line of 'people.csv' is a number or a date", done.stderr)
            self.assertNotRegex(done.stderr, "Anna|12|2001|1.5")
        for line, saying in (("a,A\n", "columns 1 and 2"), (",\n", "column 1"), ("b\x1b[2J\n", "column 1"), ('"a\n', "cell 1")):
            self.file("people.csv", line)
            self.assert_refused(["catalog", "new", "people.csv"], saying=saying)
        self.file("people.csv", b"a,\xff\n", "wb")
        self.assert_refused(["catalog", "new", "people.csv"], saying="is not UTF-8; save the file in UTF-8")
        self.assertFalse(os.path.exists("catalog.toml"))

    def test_a_catalog_is_never_replaced(self):
        self.file("people.csv", "id\n")
        self.file("catalog.toml", CATALOG)
        self.assert_refused(["catalog", "new", "people.csv"], saying="'catalog.toml' exists already")
        with open("catalog.toml", encoding="utf-8") as file:
            self.assertEqual(file.read(), CATALOG)

    def test_the_source_is_found_from_the_catalog_and_cells_stand_apart_as_told(self):
        os.mkdir("data")
        os.mkdir("here")
        self.file("data/people.csv", "id;name\n")
        answer = self.json("catalog", "new", "data/people.csv", "--out", "here/c.toml", "--delimiter", ";")
        self.assertEqual((answer["source"], answer["columns"]), ("../data/people.csv", ["id", "name"]))
        with open("here/c.toml", encoding="utf-8") as file:
            self.assertIn('delimiter = ";"\n', file.read())

    def test_what_cannot_be_read_is_said(self):
        self.assert_refused(["catalog", "new", "none.csv"], code=1, saying="'none.csv' cannot be read")
        self.assert_refused(["catalog", "new", "none.parquet"], code=1, saying="'none.parquet' cannot be read")
        self.assert_refused(["catalog", "new", "none.dat"], saying="neither in .csv, .tsv or .jsonl nor in .parquet")
        self.file("false.parquet", "a,b\n1,2\n3,4\n5,6\n")
        self.assert_refused(["catalog", "new", "false.parquet"], code=1, saying="does not end as a Parquet file does")
        self.assert_refused(["catalog", "new", "false.parquet", "--delimiter", ";"], saying="--delimiter is for CSV only")
        self.assert_refused(["catalog", "new", "a.csv", "--delimiter", "ab"], saying="--delimiter must be one of")


class Check(FolderTest):
    def test_a_good_catalog_is_a_table(self):
        text = self.text("catalog", "check", self.file("c.toml", CATALOG))
        self.assertRegex(text, r"(?m)^epsilon +3 ")
        self.assertRegex(text, r"(?m)^unit +person_id ")
        self.assertRegex(text, r"(?m)^ +income +real +0 +200000 +0.5 +private +-$")
        self.assertRegex(text, r"(?m)^ +region +string +- +- +- +2 public +1$")

    def test_json_says_the_same(self):
        answer = self.json("catalog", "check", self.file("c.toml", CATALOG))
        self.assertEqual(list(answer), ["catalog", "problems", "budget", "tables", "views"])
        self.assertEqual(answer["problems"], [])
        self.assertEqual(answer["budget"], {"epsilon": 3, "delta": 1e-6, "ledger": "c.ledger", "accountant": "zcdp",
                                            "conversion": "worthwhile", "witness": None, "shares": [], "reserve": None})
        table = answer["tables"][0]
        self.assertEqual((table["unit"], table["neighbours"], table["row_limit"]), ("person_id", "add-remove", 10**10))
        columns = {column.pop("name"): column for column in table["columns"]}
        self.assertEqual(columns["income"], {"type": "real", "lower": 0, "upper": 200000, "granularity": 0.5, "keys": [],
                                             "labels": {}})
        self.assertEqual(columns["born"]["lower"], "1900-01-01")
        self.assertEqual(columns["member"]["keys"], [True, False])
        self.assertEqual(columns["region"]["labels"], {"north": "The North"})

    def test_shares_the_reserve_and_the_witness_are_told(self):
        shares = 'delta = 1e-6\nwitness = "../w"\n[budget.shares]\nanna = 0.5\n"Zoë B" = 0.2'
        path = self.file("c.toml", CATALOG.replace("delta = 1e-6", shares))
        text = self.text("catalog", "check", path)
        self.assertRegex(text, r"(?m)^witness +\.\./w +remembers")
        self.assertIn("analyst    share  epsilon  delta\n"
                      "anna         0.5      1.5  5e-07\n"
                      "Zoë B        0.2      0.6  2e-07\n"
                      "(reserve)    0.3      0.9  3e-07\n", text)
        budget = self.json("catalog", "check", path)["budget"]
        self.assertEqual(budget["shares"], [{"analyst": "anna", "part": 0.5}, {"analyst": "Zoë B", "part": 0.2}])
        self.assertEqual((budget["reserve"], budget["witness"]), (0.3, "../w"))
        self.file("c.toml", CATALOG.replace("delta = 1e-6", shares.replace("0.2", "0.51")))
        done = run("catalog", "check", "c.toml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("c.toml:5:1: the shares of [budget] are more than the whole", done.stdout)

    def test_problems_are_json_too(self):
        done = run("catalog", "check", self.file("c.toml", CATALOG.replace("lower = 0", "lower = 300000")), "--json")
        self.assertEqual((done.returncode, done.stderr), (2, "vernier: 'c.toml' has a problem; fix it and check again\n"))
        problems = json.loads(done.stdout)["problems"]
        self.assertEqual([(problem["line"], problem["column"]) for problem in problems], [(12, 35)])
        self.assertIn("must be below upper", problems[0]["sentence"])

    def test_no_byte_of_a_catalog_reaches_the_terminal_raw(self):
        for text in ("a = \"\x1b[2J\"\n", "\x1b[2J = 1\n", '"\\u001b[2J" = 1\n', 'budget = "\\u001b[2J"\n'):
            done = run("catalog", "check", self.file("c.toml", text))
            self.assertEqual(done.returncode, 2)
            self.assertNotIn("\x1b", done.stdout + done.stderr)

    def test_a_missing_catalog_and_wrong_words(self):
        self.assert_refused(["catalog", "check", "none.toml"], code=1, saying="'none.toml' cannot be read")
        self.assert_refused(["catalog", "check", "."], code=1, saying="it is a folder")
        self.assert_refused(["catalog", "check"], saying="the catalog is missing")
        self.assert_refused(["catalog", "new"], saying="the data file is missing")
        self.assert_refused(["catalog"], saying="new, check or reopen")
        self.assert_refused(["catalog", "chek", "c.toml"], saying="did you mean check?")
        self.assert_refused(["catalog", "check", "c.toml", "d.toml"], saying="'d.toml' is not understood")
        self.assert_refused(["catalog", "check", "c.toml", "--out", "d.toml"], saying="--out belongs to")


if __name__ == "__main__":
    unittest.main()
