"""What was tried against a running ledger, as somebody does who may write its files. Usage: ledger_attack_test.py PROGRAM"""
import json
import os
import shutil
import sqlite3
import unittest

from program import run
from studies import StudyTest

HOMELESS = {"HOME": None, "XDG_STATE_HOME": None}
COUNT = "SELECT COUNT(*) AS n FROM people"


class AttackTest(StudyTest):
    def query(self, epsilon, **changes):
        return run("query", "--catalog", "catalog.toml", COUNT, "--epsilon", epsilon, **changes)


class WithoutAWitness(AttackTest):
    """Cron, services and containers have no home, and the catalog is named without a folder."""

    def test_an_older_copy_is_noticed_all_the_same(self):
        self.assertEqual(self.query("1", **HOMELESS).returncode, 0)
        shutil.copy("catalog.ledger", "older")
        self.assertEqual(self.query("1", **HOMELESS).returncode, 0)
        self.assertEqual(len([name for name in os.listdir(".") if name.endswith(".witness")]), 1)
        shutil.copy("older", "catalog.ledger")
        done = self.query("1", **HOMELESS)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("it is an older copy, or its end was cut off", done.stderr)

    def test_none_is_kept_only_where_that_is_asked_and_it_is_said_at_every_release(self):
        self.break_file("catalog.toml", "delta = 1e-6\n", 'delta = 1e-6\nwitness = "none"\n')
        for _ in range(2):
            self.assertIn("\nno witness is kept of the ledger, as the catalog asks: ", self.query("0.1").stdout)
        record = self.json("query", "--catalog", "catalog.toml", COUNT, "--epsilon", "0.1")
        self.assertEqual(record["certificate"]["charge"]["witness"], "none")
        self.assertIn("no witness is kept", self.text("release", "study.toml", "--out", "published"))
        self.text("verify", "published/release.json")
        for words in (("ledger", "show"), ("ledger", "verify"), ("catalog", "check")):
            self.assertRegex(self.text(*words, "catalog.toml"), r"(?m)^witness +none.* an older copy of the ledger goes")


    def test_one_that_is_new_to_a_ledger_with_releases_is_said(self):
        told = "the witness of the ledger begins with this release"
        homes = [{"HOME": os.path.abspath(name), "XDG_STATE_HOME": None} for name in ("anna", "ben")]
        self.assertNotIn(told, self.query("0.1", **homes[0]).stdout)
        self.assertIn(told, self.query("0.1", **homes[1]).stdout)
        for home in homes:
            self.assertNotIn(told, self.query("0.1", **home).stdout)
        new = {"HOME": os.path.abspath("container"), "XDG_STATE_HOME": None}
        record = json.loads(run("query", "--catalog", "catalog.toml", COUNT, "--epsilon", "0.1", "--json", **new).stdout)
        self.assertEqual(record["certificate"]["charge"]["witness"], "new")


class Files(AttackTest):
    def test_a_trigger_with_a_name_of_sqlites_own_is_found(self):
        self.assertEqual(self.query("0.5").returncode, 0)
        ledger = sqlite3.connect("catalog.ledger", isolation_level=None)
        ledger.execute("CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")
        ledger.execute("PRAGMA writable_schema = ON")
        ledger.execute("UPDATE sqlite_schema SET name = 'sqlite_t', sql = replace(sql, 'TRIGGER t ', 'TRIGGER sqlite_t ') "
                       "WHERE name = 't'")
        ledger.execute("PRAGMA schema_version = 99")
        ledger.close()
        done = self.query("1.5")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertIn("lacks rules that it was made with, or has others", done.stderr)
        self.assert_refused(["ledger", "verify", "catalog.toml"], code=1, saying="or has others")

    def test_a_second_name_is_refused(self):
        self.assertEqual(self.query("0.5").returncode, 0)
        os.link("catalog.ledger", "twin.ledger")
        self.break_file("catalog.toml", "delta = 1e-6\n", 'delta = 1e-6\nledger = "twin.ledger"\n')
        for old, new in (("twin.ledger", "catalog.ledger"), ("catalog.ledger", "catalog.ledger")):
            done = self.query("0.5")
            self.assertEqual((done.returncode, done.stdout), (1, ""), done)
            self.assertIn("has 2 names (hard links)", done.stderr)
            self.break_file("catalog.toml", old, new)
        os.remove("twin.ledger")
        self.assertEqual(self.query("0.5").returncode, 0)


class Units(AttackTest):
    def test_the_unit_of_a_table_stays_once_it_was_released(self):
        self.assertIn("for each id of people\n", self.query("0.5").stdout)
        self.break_file("catalog.toml", 'unit = "id"', 'unit = "row"')
        self.break_file("study.toml", "max_rows = 2\n", "")
        told = ("has releases of the table 'people' by the unit 'id', but the catalog now has it by the unit 'row'; whom it "
                "protects stays: write unit = \"id\" back, or begin another ledger")
        for words, code in ((["query", "--catalog", "catalog.toml", COUNT, "--epsilon", "0.4"], 2), (["plan", "study.toml"], 2),
                            (["release", "study.toml"], 2), (["ledger", "show", "catalog.toml"], 1)):
            self.assert_refused(words, code=code, saying=told)
        self.break_file("catalog.toml", 'unit = "row"', 'unit = "id"')
        self.assertEqual(self.query("0.4").returncode, 0)
        shown = self.json("ledger", "show", "catalog.toml")
        self.assertEqual(shown["protects"], [{"table": "people", "unit": "id", "source": "people.csv"}])
        self.assertAlmostEqual(shown["spent"]["epsilon"], 0.9, delta=1e-9)

    def test_nor_does_another_name_for_the_same_file_help(self):
        self.assertEqual(self.query("0.5").returncode, 0)
        self.break_file("catalog.toml", "[tables.people", "[tables.persons")
        self.break_file("catalog.toml", 'unit = "id"', 'unit = "row"')
        os.symlink("people.csv", "link.csv")
        former = 'source = "people.csv"'
        words = ["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM persons", "--epsilon", "0.4"]
        for name in ("./people.csv", os.path.realpath("people.csv"), "link.csv"):
            self.break_file("catalog.toml", former, f'source = "{name}"')
            former = f'source = "{name}"'
            self.assert_refused(words, saying="has releases of the file 'people.csv' by the unit 'id', as the table 'people'")
        os.mkdir("other")
        self.file("other/catalog.toml", self.content("catalog.toml").replace(former, 'source = "../link.csv"')
                  .replace("[budget]\n", '[budget]\nledger = "../catalog.ledger"\n'))
        self.assert_refused(["query", "--catalog", "other/catalog.toml", *words[3:]], saying="has releases of the file 'people.csv'")
        self.break_file("catalog.toml", 'unit = "row"', 'unit = "id"')
        self.text(*words)

    def test_nor_does_reading_the_file_with_others_by_a_pattern_or_by_another_of_its_names(self):
        self.assertEqual(self.query("0.5").returncode, 0)
        self.break_file("catalog.toml", "[tables.people", "[tables.persons")
        self.break_file("catalog.toml", 'unit = "id"', 'unit = "row"')
        shutil.copy("people.csv", "more.csv")
        os.link("people.csv", "other.csv")
        source = '"people.csv"'
        words = ["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM persons", "--epsilon", "0.4"]
        for other in ('["more.csv", "people.csv"]', '"peopl?.csv"', '["more.csv", "p*.csv"]', '"other.csv"', '["other.csv", "more.csv"]', '"ot*.csv"'):
            self.break_file("catalog.toml", f"source = {source}", f"source = {other}")
            source = other
            self.assert_refused(words, saying="has releases of the file 'people.csv' by the unit 'id', as the table 'people'")
        self.break_file("catalog.toml", f"source = {source}", 'source = "more.csv"')
        self.text(*words)

    def test_nor_does_it_help_that_the_table_went_on_to_another_file(self):
        self.assertEqual(self.query("0.3").returncode, 0)
        shutil.copy("people.csv", "more.csv")
        self.break_file("catalog.toml", 'source = "people.csv"', 'source = "more.csv"')
        self.assertEqual(self.query("0.3").returncode, 0)
        self.break_file("catalog.toml", "[tables.people", "[tables.persons")
        self.break_file("catalog.toml", 'unit = "id"', 'unit = "row"')
        former = "more.csv"
        for name in ("more.csv", "people.csv"):
            self.break_file("catalog.toml", f'source = "{former}"', f'source = "{name}"')
            former = name
            self.assert_refused(["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM persons", "--epsilon", "0.1"],
                                saying=f"has releases of the file '{name}' by the unit 'id', as the table 'people'")

    def test_nor_do_two_tables_of_one_catalog(self):
        os.symlink("people.csv", "link.csv")
        table = self.content("catalog.toml").split("[tables.people]")[1]
        both = table.replace("people.csv", "link.csv").replace('unit = "id"', 'unit = "row"').replace("tables.people", "tables.rows")
        self.file("catalog.toml", self.content("catalog.toml") + "\n[tables.rows]" + both)
        self.assertEqual(self.query("0.5").returncode, 0)
        self.assert_refused(["query", "--catalog", "catalog.toml", COUNT.replace("people", "rows"), "--epsilon", "0.4"],
                            saying="has releases of the file 'people.csv' by the unit 'id', as the table 'people'")

    def test_nor_to_declare_it_public(self):
        self.assertEqual(self.query("0.5").returncode, 0)
        other = ('\n[tables.visits]\nsource = "visits.csv"\nunit = "visit"\n[tables.visits.columns]\nvisit = { type = "integer" }\n'
                 'id = { type = "integer" }\n')
        self.file("visits.csv", "visit,id\n1,1\n2,1\n")
        self.break_file("catalog.toml", 'unit = "id"\nrow_limit = 1000000\n', "public = true\n")
        self.file("catalog.toml", self.content("catalog.toml") + other)
        words = ["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM visits JOIN people USING (id)", "--epsilon", "1"]
        self.assert_refused(words, saying="by the unit 'id', but the catalog now has it as public")


if __name__ == "__main__":
    unittest.main()
