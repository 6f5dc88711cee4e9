"""What one line of a CSV file cannot do to the rest of it, and what of a file is never told. Usage: csv_test.py PROGRAM"""
import json
import os
import shutil
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000
delta = 1e-6

[tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000

[tables.people.columns]
id   = { type = "integer", lower = 0, upper = 1000 }
age  = { type = "integer", lower = 0, upper = 100, never_null = true }
town = { type = "string" }
"""

SECRET = "Secretia"
COUNTED = CATALOG.replace('unit = "id"', 'unit = "row"\nneighbours = "replace"\npublic_count = true')
MEANS = ("AVG(age)", "AVG(CASE WHEN town = 'Aville' THEN 1 ELSE 0 END)", "AVG(COALESCE(id, 0))")
PERSONS = 101

# What may stand in the place of one line; no line feed is in any of them.
LINES = {"another row": b"7,50,Aville", "nothing": b"", "carriage returns": b"7,50,Aville\r8,51,Aville\r9,52,Btown",
         "an open quote": b'7,50,"Aville', "a quote within": b'7,50,"A"ville', "an open quote at once": b'"',
         "no UTF-8": b"7,50,\xff\xfe", "no UTF-8 in front": b"\xff7,50,Aville", "zeros": b"\0,\0,\0", "too many cells": b"7" + b"," * 5000,
         "3 MB": b"7,50," + b"x" * 3_000_000, "3 MB of quotes": b'"' * 3_000_000, "a mark of byte order": b"\xef\xbb\xbf7,50,Aville",
         "17 MiB": b"7,50," + b"x" * (17 << 20)}


def people(line=b"50,50,Aville"):
    """101 persons of age 50 in Aville, the last but fifty of whom has this line."""
    lines = [f"{i},50,Aville".encode() for i in range(PERSONS)]
    lines[50] = line
    return b"id,age,town\n" + b"\n".join(lines) + b"\n"


class Lines(FolderTest):
    def released(self, catalog, *sql):
        """The record, from an empty ledger."""
        for name in ("out", "catalog.ledger", "catalog.ledger-wal", "catalog.ledger-shm"):
            shutil.rmtree(name) if os.path.isdir(name) else os.path.exists(name) and os.remove(name)
        self.file("catalog.toml", catalog)
        study = 'catalog = "catalog.toml"\nbudget = { epsilon = 5000, delta = 1e-7 }\n'
        for i, statement in enumerate(sql):
            study += f'[[statistic]]\nname = "s{i}"\nsql = "{statement}"\nmax_rows = 1\n'
        self.file("study.toml", study)
        state = os.path.join(os.getcwd(), "state")
        shutil.rmtree(state, ignore_errors=True)
        done = run("release", "study.toml", "--out", "out", XDG_STATE_HOME=state)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(self.content("out/release.json"))

    def test_the_public_number_of_rows_is_the_same_whatever_a_line_says_and_whatever_is_read(self):
        for quoted in ("", "quoted = false\n"):
            for name, line in LINES.items():
                with self.subTest(name, quoted=quoted):
                    self.file("people.csv", people(line), "wb")
                    record = self.released(COUNTED.replace("unit =", quoted + "unit ="),
                                           *[f"SELECT {mean} AS m FROM people" for mean in MEANS])
                    told = [one["public_count"] for one in record["certificate"]["statistics"]]
                    self.assertEqual(told, [PERSONS] * 3)

    def test_a_line_is_one_person_at_most(self):
        forged = b"50,50,Aville" + b"".join(b"\r%d,50,Aville" % i for i in range(1000, 2000))
        for name, line in {**LINES, "forged": forged}.items():
            if len(line) > 1_000_000:  # rows, above
                continue
            with self.subTest(name):
                self.file("people.csv", people(line), "wb")
                record = self.released(CATALOG, "SELECT COUNT(*) AS n FROM people",
                                       "SELECT town, COUNT(*) AS n FROM people GROUP BY town")
                all_of_them, by_town = record["statistics"]
                self.assertLessEqual(abs(all_of_them["rows"][0]["n"]["value"] - 100.5), 3)
                self.assertEqual([row["town"] for row in by_town["rows"]], ["Aville"])
                self.assertLessEqual(abs(by_town["rows"][0]["n"]["value"] - 100.5), 3)

    def test_lines_in_quotes_are_one_row_where_that_is_declared_and_then_the_release_says_so(self):
        self.file("people.csv", people(b'50,50,"A\nville"'), "wb")
        sentence = "Rows of the CSV file of the table 'people' may have several lines in quotes"
        for declared, rows in (("", 102), ("line_breaks = true\n", 101)):
            record = self.released(CATALOG.replace('unit = "id"', declared + 'unit = "row"'), "SELECT COUNT(*) AS n FROM people")
            self.assertLessEqual(abs(record["statistics"][0]["rows"][0]["n"]["value"] - rows), 0.5)
            self.assertEqual(sum(one.startswith(sentence) for one in record["assumptions"]), len(declared) > 0)
            self.assertEqual(record["certificate"]["statistics"][0].get("line_breaks"), True if declared else None)
            self.text("verify", "out/release.json")
        self.assertTrue(self.json("catalog", "check", "catalog.toml")["tables"][0]["line_breaks"])
        done = run("catalog", "check", self.file("c.toml", COUNTED.replace("unit =", "line_breaks = true\nunit =")))
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs a file without line_breaks", done.stdout)


class Told(FolderTest):
    def refused(self, content, saying, secret=SECRET):
        """What every command says of such a file: nothing that stands in it but what the catalog says, too."""
        self.file("people.csv", content, "wb")
        self.file("catalog.toml", CATALOG)
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1, delta = 1e-7 }\n[[statistic]]\n'
                                'name = "s"\nsql = "SELECT COUNT(*) AS n FROM people"\n')
        for words in (["release", "study.toml", "--out", "out"], ["query", "SELECT COUNT(*) AS n FROM people", "--catalog", "catalog.toml", "--epsilon", "1"]):
            done = run(*words)
            self.assertNotEqual(done.returncode, 0, done)
            self.assertIn(saying, done.stderr)
            self.assertNotIn(secret.lower(), (done.stdout + done.stderr).lower())
            self.assertFalse(os.path.exists("catalog.ledger") and os.path.exists("out"))

    def test_no_cell_where_lines_end_with_carriage_returns(self):
        # A cell that is much like a declared name, which a suggestion would show.
        for cell in (b"town" + SECRET.encode(), b"towm " + SECRET.encode(), SECRET.encode()):
            self.refused(b"id,age\r1,50\r2," + cell + b"\r", "a carriage return (CR) that no line feed (LF) follows")
            self.refused(b"id,age,town\r1,50," + cell + b"\r\n", "a carriage return (CR) that no line feed (LF) follows")

    def test_no_cell_where_there_is_no_header(self):
        for content, saying in ((b"1,50,towns\n2,50,towns\n", "has none of the columns that the catalog declares"),
                                (b"id,50,towns\n2,50,towns\n", "has no column 'age', which the catalog declares; correct"),
                                (b"id,age,towns\n2,50,towns\n", "has no column 'town', which the catalog declares; correct")):
            self.refused(content, saying, "towns")

    def test_a_new_catalog_has_no_second_line_in_it(self):
        self.file("people.csv", b"id,age\r1," + SECRET.encode() + b"\r", "wb")
        self.assert_refused(["catalog", "new", "people.csv"], saying="a carriage return (CR) that no line feed (LF) follows")
        self.assertFalse(os.path.exists("catalog.toml"))


class Public(FolderTest):
    def test_a_protected_file_is_public_under_no_other_name(self):
        self.file("people.csv", people(), "wb")
        os.mkdir("sub")
        os.link("people.csv", "hard.csv")
        os.symlink("people.csv", "soft.csv")
        os.symlink("../hard.csv", "sub/softer.csv")
        os.symlink(".", "here")
        for source in ("people.csv", "./people.csv", "sub/../people.csv", os.path.abspath("people.csv"), "hard.csv", "soft.csv",
                       "sub/softer.csv", "here/people.csv", "here/here/hard.csv"):
            text = CATALOG + f'[tables.open]\nsource = "{source}"\npublic = true\n[tables.open.columns]\nid = {{ type = "integer" }}\n'
            done = run("catalog", "check", self.file("catalog.toml", text))
            self.assertEqual(done.returncode, 2, source)
            self.assertIn("the table 'open' is public and has the file of the protected table 'people'", done.stdout)


if __name__ == "__main__":
    unittest.main()
