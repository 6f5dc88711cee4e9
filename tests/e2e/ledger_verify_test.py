"""`vernier ledger verify` and `export` as an auditor runs them. Usage: ledger_verify_test.py PROGRAM"""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

from ledgers import LedgerTest
from program import run

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "ledger.md"


class Verify(LedgerTest):
    def test_it_says_what_was_checked(self):
        self.publish()
        text = self.text("ledger", "verify", "catalog.toml", "--release", "published/release.json")
        for name, value in (("its rules", "in place"), ("entries", "6"), ("spends", "2"), ("tally", "equal"), ("answers", "2"),
                            ("unanswered", "0"), ("witness", "entry 6"), ("published", "1")):
            self.assertRegex(text, rf"(?m)^{name} +{value} ")
        self.assertIn("\nthe ledger holds; its head is ", text)
        found = self.json("ledger", "verify", "catalog.toml")
        self.assertEqual((found["holds"], found["entries"], found["spends"], found["published"]), (True, 6, 2, 0))
        self.assertEqual(found["head"], self.json("ledger", "show", "catalog.toml")["head"])

    def test_a_published_release_must_stand_in_the_ledger(self):
        self.publish()
        published = json.loads(self.content("published/release.json"))
        self.text("ledger", "verify", "catalog.toml", "--release", "published/release.json")

        def changed(**members):
            return self.file("other.json", json.dumps({**published, **members}))

        receipt = published["ledger"]
        for members, saying in (({"ledger": {**receipt, "index": 4}}, "entry 4 has another hash than the release says"),
                                ({"ledger": {**receipt, "index": 9}}, "it names entry 9, and there are 6"),
                                ({"ledger": {**receipt, "index": -1}}, "it names entry -1"),
                                ({"ledger": {**receipt, "head": "0" * 64}}, "entry 3 has another hash"),
                                ({"release": "0" * 32}, "entry 3 paid for another release"),
                                ({"study": "another"}, "it is not, byte by byte, what was stored")):
            self.assert_broken("'other.json' does not belong to this ledger: " + saying, "verify", "--release",
                               changed(**members))

    def test_it_is_compared_byte_by_byte_with_what_was_stored(self):
        self.publish()
        text = self.content("published/release.json")
        published = json.loads(text)
        belongs = "'other.json' does not belong to this ledger: it is not, byte by byte, what was stored for its release"
        for changed in (json.dumps(published, indent=1), text.replace(":", ": ", 1), text + "\n"):
            self.assert_broken(belongs, "verify", "--release", self.file("other.json", changed))
        # A key twice: some readers take the first, others the last.
        twice = text.replace('{"release":', '{"study":"another","release":', 1)
        self.assertEqual(json.loads(twice), published)
        self.file("other.json", twice)
        self.assert_refused(["ledger", "verify", "catalog.toml", "--release", "other.json"],
                            saying="'other.json' is no release.json: an object has the key 'study' twice")

    def test_a_changed_entry_is_noticed_whatever_was_changed(self):
        self.publish()
        shutil.copy("catalog.ledger", "good")
        for column, value in (("analyst", "ben"), ("study", "x"), ("epsilon", 1), ("delta", 0), ("time", 1), ("unit", "row"),
                              ("plan", "x"), ("release", "x"), ("request", "x"), ("manner", "divergence"), ("content", "x"),
                              ("kind", "shares"), ("hash", "0" * 64)):
            shutil.copy("good", "catalog.ledger")
            with self.database(drop=["entries_stay"]) as ledger:
                ledger.execute(f"UPDATE entries SET {column} = ? WHERE idx = 3", (value,))
            self.assert_broken("does not hold: entry 3 was changed after it was written", "verify")

    def test_what_else_may_have_been_done_to_the_file(self):
        self.publish()
        shutil.copy("catalog.ledger", "good")

        def after(statement, *drop):
            shutil.copy("good", "catalog.ledger")
            with self.database(drop=drop) as ledger:
                ledger.execute(statement)

        after("DELETE FROM entries WHERE idx = 4", "entries_remain")
        self.assert_broken("entry 5 does not follow entry 3: entries are missing or moved")
        after("DELETE FROM entries WHERE idx = 6", "entries_remain")
        self.assert_broken("remembers 6 entries, but there are only 5: it is an older copy, or its end was cut off")
        after("UPDATE entries SET left_epsilon = left_epsilon + 1 WHERE idx = 4", "entries_stay")
        self.assert_broken("what entry 4 says is left is not what the entries up to it leave")
        after("UPDATE entries SET left_delta = left_delta + 1", "entries_stay")
        self.assert_broken("what it says is left is not what its entries add up to")
        after("UPDATE documents SET content = x'00' WHERE place = 0", "documents_stay")
        self.assert_broken("the documents of entry 4 are not those that were stored", "verify")
        after("DELETE FROM documents", "documents_remain")
        self.assert_broken("the documents of entry 4 are not those that were stored", "verify")
        shutil.copy("good", "catalog.ledger")
        with sqlite3.connect("catalog.ledger") as ledger:
            ledger.execute("DROP TRIGGER entries_stay")
        ledger.close()
        self.assert_broken("lacks rules that it was made with")

    def test_an_older_copy_is_noticed(self):
        self.text("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--accuracy", "50", "--analyst", "ben")
        shutil.copy("catalog.ledger", "older")
        self.publish()
        shutil.copy("older", "catalog.ledger")
        self.assert_broken("remembers 8 entries, but there are only 4: it is an older copy, or its end was cut off")
        self.assert_refused(["release", "study.toml", "--analyst", "anna"], code=1, saying="remembers 8 entries")

    def test_files_that_are_no_ledgers_any_more(self):
        self.publish()
        whole = pathlib.Path("catalog.ledger").read_bytes()
        for size in (100, 4096, len(whole) // 2, len(whole) - 4096):
            pathlib.Path("catalog.ledger").write_bytes(whole[:size])
            done = run("ledger", "verify", "catalog.toml")
            self.assertEqual((done.returncode, done.stdout), (1, ""), size)
            self.assertRegex(done.stderr, r"\Avernier: [^\n]*'catalog.ledger'[^\n]+\n\Z")
        self.file("catalog.ledger", "hello" * 1000)
        self.assert_broken("is no ledger, but a file of another kind")
        os.remove("catalog.ledger")
        os.mkdir("catalog.ledger")
        self.assert_broken("'catalog.ledger' could not be opened")

    def test_another_budget_of_the_catalog_is_refused(self):
        self.publish()
        self.break_file("catalog.toml", "epsilon = 3.0", "epsilon = 30.0")
        self.assert_broken("was begun with epsilon 3, delta 1e-06, accountant zcdp and neighbours add-remove")


class Export(LedgerTest):
    def test_anyone_can_recompute_the_chain_with_the_script_of_the_guide(self):
        self.publish()
        script = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)[1]
        self.assertLess(len(script.splitlines()), 15)
        self.file("check.py", script)
        self.assertIn("entries.jsonl holds the ledger catalog.ledger",
                      self.text("ledger", "export", "catalog.toml", "--out", "entries.jsonl"))

        def checked(text):
            return subprocess.run([sys.executable, "check.py"], input=text, capture_output=True, text=True, timeout=60,
                                  check=False)

        lines = self.content("entries.jsonl")
        head = self.json("ledger", "show", "catalog.toml")["head"]
        done = checked(lines)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(head, done.stdout)
        for old, new in (('"ben"', '"bea"'), ('"index":3', '"index":4'), ('"manner":"total"', '"manner":"totals"')):
            self.assertIn(old, lines)
            self.assertNotEqual(checked(lines.replace(old, new, 1)).returncode, 0)

    def test_amounts_are_exact(self):
        self.publish()
        entries = [json.loads(line) for line in self.text("ledger", "export", "catalog.toml").splitlines()]
        self.assertEqual(len(entries), 6)
        spent = sum(int(entry["epsilon_quanta"]) for entry in entries)
        with self.database() as ledger:
            left = ledger.execute("SELECT min(left_epsilon) FROM entries").fetchone()[0]
        self.assertEqual(spent + left, 3 * 10**17)
        self.assertAlmostEqual(float(entries[2]["epsilon"]) * 10**17, int(entries[2]["epsilon_quanta"]), delta=100)
        self.assertEqual(entries[4]["analyst"], "ben")
        answer = self.json("ledger", "export", "catalog.toml")
        self.assertEqual((answer["format"], answer["content"]), ("jsonl", self.text("ledger", "export", "catalog.toml")))

    def test_the_record_for_the_registry(self):
        self.publish()
        self.pay_without_an_answer()
        answer = self.json("ledger", "export", "catalog.toml", "--format", "registry", "--out", "record.yaml")
        self.assertEqual((answer["format"], answer["file"]), ("registry", "record.yaml"))
        record = self.content("record.yaml")
        for line in ('url_slug: "catalog"', '    variant_name: "Approximate DP"', '    privacy_unit: "id"',
                     "      epsilon: 3", "      delta: 1.0e-06", '    model_name: "Central"',
                     '    release_type: "Many releases"', '    status: "Draft"', "    tier: 2"):
            self.assertIn("\n" + line + "\n", "\n" + record)
        self.assertRegex(record, r"(?m)^ +privacy_unit_details: \"Neighbours add-remove; two data sets are adjacent where one has")
        self.assertRegex(record, r"(?m)^ +- entry 3, 20\d\d-\d\d-\d\d: study, unit id, epsilon 0\.99\d+, delta \S+ by total$")
        self.assertRegex(record, r"(?m)^ +- entry 7, 2027-01-15: died, unit id, epsilon 0\.1, delta 0 by total, not answered$")
        self.assertRegex(record, "noise: (box|geometric)")
        self.assertEqual(len(re.findall("# fill in", record)), 9)

    def test_the_record_has_the_sections_of_the_schema(self):
        self.publish()
        record = self.text("ledger", "export", "catalog.toml", "--format", "registry")
        self.assertEqual(re.findall(r"(?m)^  (\w+):$", record),
                         ["basic", "dp_variant", "privacy_loss", "deployment_model", "implementation", "administrative"])
        required = {"name", "data_curators", "description", "intended_use", "data_product_type", "data_product_region",
                    "publication_date", "status", "registry_authors", "tier"}
        self.assertLessEqual(required, set(re.findall(r"(?m)^    (\w+):", record)))


if __name__ == "__main__":
    unittest.main()
