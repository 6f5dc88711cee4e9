"""`vernier ledger` as a steward and an auditor run it. Usage: ledger_test.py PROGRAM"""
import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from program import run
from studies import StudyTest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "ledger.md"
SHARES = "delta = 1e-6\n\n[budget.shares]\nanna = 0.6\nben = 0.3\n"
FIELDS = ["idx", "kind", "time", "release", "request", "analyst", "study", "unit", "plan", "manner", "epsilon", "delta",
          "content"]


def netstrings(texts):
    return b"".join(b"%d:%s," % (len(text.encode()), text.encode()) for text in texts)


class LedgerTest(StudyTest):
    """With shares for two analysts, and folders of its own for state, keys and home."""

    def setUp(self):
        super().setUp()
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        folders = {"HOME": home.name, "XDG_STATE_HOME": home.name + "/state", "XDG_CONFIG_HOME": home.name + "/config"}
        patched = unittest.mock.patch.dict(os.environ, folders)
        patched.start()
        self.addCleanup(patched.stop)
        self.break_file("catalog.toml", "delta = 1e-6\n", SHARES)

    def publish(self):
        """A study of anna's and a query of ben's: entries 3 to 6, behind the terms and the shares."""
        self.text("release", "study.toml", "--analyst", "anna", "--out", "published")
        self.text("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM people", "--accuracy", "20", "--analyst",
                  "ben", "--request", "q-1")

    @contextlib.contextmanager
    def database(self, drop=()):
        """The file itself, without the rules that were named; they are put back afterwards."""
        connection = sqlite3.connect("catalog.ledger")
        rules = [connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0] for name in drop]
        for name in drop:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for rule in rules:
            connection.execute(rule)
        connection.commit()
        connection.close()

    def pay_without_an_answer(self):
        """One more reservation, written by hand with the hash that it must have: a run that died."""
        with self.database() as ledger:
            index, head = ledger.execute("SELECT idx, head FROM tally").fetchone()
            values = [index + 1, "reserve", 1800000000, "d" * 32, "", "ben", "died", "id", "p", "total", 10**16, 0, ""]
            digest = hashlib.sha256(netstrings([head, *map(str, values)])).hexdigest()
            ledger.execute(f"INSERT INTO entries VALUES ({','.join('?' * 14)})", [*values, digest])
            ledger.execute("UPDATE tally SET idx = idx + 1, head = ?, left_epsilon = left_epsilon - ?", (digest, 10**16))

    def assert_broken(self, saying, *words):
        for action in (words,) if words else (("verify",), ("show",), ("history",), ("export",)):
            self.assert_refused(["ledger", action[0], "catalog.toml", *action[1:]], code=1, saying=saying)


class Nothing(LedgerTest):
    def test_a_ledger_that_does_not_exist_is_not_begun(self):
        before = self.files()
        self.assertIn("does not exist yet: nothing was spent", self.text("ledger", "show", "catalog.toml"))
        self.assertIn("does not exist yet: nothing was spent", self.text("ledger", "history", "catalog.toml"))
        self.assertIn("does not exist yet: nothing was spent", self.text("ledger", "verify", "catalog.toml"))
        self.assert_refused(["ledger", "export", "catalog.toml"], code=1, saying="nothing was spent, and there is nothing")
        shown = self.json("ledger", "show", "catalog.toml")
        self.assertEqual((shown["exists"], shown["entries"], shown["left"]["epsilon"]), (False, 0, 3))
        self.assertEqual([line["analyst"] for line in shown["analysts"]], ["anna", "ben"])
        self.assertGreater(shown["counts"][-1]["more"][0]["counts"], 10)
        self.assertEqual(self.json("ledger", "history", "catalog.toml")["entries"], [])
        self.assertEqual(self.files(), before)

    def test_a_witness_in_a_file_knows_that_there_was_one(self):
        self.break_file("catalog.toml", "delta = 1e-6\n", 'delta = 1e-6\nwitness = "far/away"\n')
        self.publish()
        self.assertIn("far/away", self.text("ledger", "verify", "catalog.toml"))
        os.remove("catalog.ledger")
        self.assert_broken("'far/away' remembers 6 entries, but there are only 0")

    def test_wrong_words_are_refused(self):
        for words, saying in (([], "show, history, verify or export, but nothing is said"),
                              (["sow"], "did you mean show?"),
                              (["show"], "the catalog is missing"),
                              (["show", "catalog.toml", "--last", "3"], "--last belongs to 'vernier ledger history'"),
                              (["verify", "catalog.toml", "--within", "3"], "--within belongs to"),
                              (["show", "catalog.toml", "--within", "0"], "--within must be a whole number from 1 to 1e12"),
                              (["show", "catalog.toml", "--within", "ten"], "--within"),
                              (["history", "catalog.toml", "--last", "0"], "--last must be at least 1"),
                              (["history", "catalog.toml", "--last", "1.5"], "--last"),
                              (["export", "catalog.toml", "--format", "yml"], "--format must be jsonl or registry"),
                              (["verify", "catalog.toml", "--release", "catalog.toml"], "is no release.json")):
            self.assert_refused(["ledger", *words], saying=saying)
        self.assert_refused(["ledger", "show", "none.toml"], code=1, saying="'none.toml' cannot be read")
        self.assert_refused(["ledger", "verify", "catalog.toml", "--release", "none"], code=1, saying="'none' cannot be read")
        self.assertIn("vernier ledger verify catalog.toml --release", self.text("ledger", "--help"))


class Show(LedgerTest):
    def test_it_says_who_spent_what_on_what_and_how(self):
        self.publish()
        text = self.text("ledger", "show", "catalog.toml")
        self.assertRegex(text, r"(?m)^adds up by  epsilons and deltas of adaptively chosen releases add up")
        self.assertRegex(text, r"(?m)^epsilon  1\.14\d*  1\.85\d* +3  ████░░░░░░  38\.\d %$")
        self.assertRegex(text, r"(?m)^anna +\S+ +1e-07 +1\.8 +6e-07  ██████░░░░  55\.6 %$")
        self.assertRegex(text, r"(?m)^ben +0\.146\d* +1e-07 +0\.9 +3e-07  ███░░░░░░░  33\.\d %$")
        self.assertRegex(text, r"(?m)^\(reserve\) +- +- +0\.3 +1e-07  in no share$")
        self.assertRegex(text, r"(?m)^study +1 .*33\.4 %$")
        self.assertRegex(text, r"(?m)^by totals +2 ")
        self.assertRegex(text, r"(?m)^for the conversion +not yet ")
        self.assertRegex(text, r"(?m)^analyst +±\d+ +±\d+ +±\d+ +±\d+ +±\d+$")
        self.assertIn("saw entry 6 of 6", text)
        self.assertNotIn("not answered", text)
        for line in text.splitlines():
            self.assertTrue(len(line) <= 80 or line.startswith("witness"), line)

    def test_json_adds_up(self):
        self.publish()
        shown = self.json("ledger", "show", "catalog.toml", "--within", "20", "100")
        self.assertEqual((shown["exists"], shown["entries"], shown["answered"], shown["unanswered"]), (True, 6, 2, []))
        self.assertEqual((shown["accountant"], shown["neighbours"]), ("zcdp", "add-remove"))
        for amount, most in (("epsilon", 3), ("delta", 1e-6)):
            spent = shown["spent"][amount]
            self.assertAlmostEqual(spent, sum(line["spent"][amount] for line in shown["analysts"]), delta=1e-12)
            self.assertAlmostEqual(spent, sum(line[amount] for line in shown["studies"]), delta=1e-12)
            self.assertAlmostEqual(spent, sum(line[amount] for line in shown["charged"].values()), delta=1e-12)
            self.assertAlmostEqual(spent + shown["left"][amount], most, delta=1e-12)
            shares = sum(line["of"][amount] for line in shown["analysts"])
            self.assertAlmostEqual(shares + shown["reserve"][amount], most, delta=1e-12)
        self.assertEqual([line["within"] for line in shown["counts"]], [20, 100])
        self.assertTrue(shown["witness"]["file"].startswith(os.environ["XDG_STATE_HOME"]))
        self.assertEqual(shown["witness"]["index"], 6)

    def test_so_many_counts_can_be_had_and_no_more(self):
        line = self.json("ledger", "show", "catalog.toml", "--within", "20")["counts"][0]["more"][1]
        self.assertEqual((line["analyst"], line["delta"]), ("ben", 0))
        self.file("one.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1, delta = 0 }\n[[statistic]]\nname = "n"\n'
                              'sql = "SELECT COUNT(*) AS n FROM people"\naccuracy = { n = 20 }\n')
        planned = self.json("plan", "one.toml")
        self.assertEqual(planned["guarantee"]["epsilon"], line["epsilon"])
        self.assertGreater(line["counts"], 2)
        for i in range(line["counts"]):
            self.text("release", "one.toml", "--analyst", "ben", "--out", f"release-{i}")
        self.assert_refused(["release", "one.toml", "--analyst", "ben"], code=1, saying="in the share of 'ben'")
        self.assertEqual(self.json("ledger", "show", "catalog.toml", "--within", "20")["counts"][0]["more"][1]["counts"], 0)

    def test_what_was_paid_for_and_never_answered_is_told(self):
        self.publish()
        self.pay_without_an_answer()
        text = self.text("ledger", "show", "catalog.toml")
        self.assertIn("paid for and not answered: 1;", text)
        self.assertRegex(text, r"(?m)^ +7  2027-01-15T08:00:00Z  ben +died +0\.1$")
        self.assertEqual(self.json("ledger", "show", "catalog.toml")["unanswered"],
                         [{"index": 7, "release": "d" * 32, "analyst": "ben", "study": "died"}])
        self.assertRegex(self.text("ledger", "verify", "catalog.toml"), r"(?m)^unanswered +1 ")
        self.assertIn("saw entry 6 of 7", text)

    def test_everybody_spends_from_the_whole_where_there_are_no_shares(self):
        self.break_file("catalog.toml", SHARES, "delta = 1e-6\n")
        self.text("release", "study.toml")
        text = self.text("ledger", "show", "catalog.toml")
        self.assertRegex(text, r"(?m)^\(nobody named\) +\S+ +1e-07  ███░░░░░░░  33\.4 %$")
        self.assertRegex(text, r"(?m)^everybody +±")
        self.assertNotIn("(reserve)", text)
        self.assertIsNone(self.json("ledger", "show", "catalog.toml")["reserve"])

    def test_shares_may_be_divided_anew_and_a_former_one_is_told(self):
        self.publish()
        self.break_file("catalog.toml", "ben = 0.3\n", "cleo = 0.3\n")
        text = self.text("ledger", "show", "catalog.toml")
        self.assertRegex(text, r"(?m)^ben .*has no share now$")
        self.assertRegex(text, r"(?m)^cleo +0 ")

    def test_readers_do_not_wait_for_writers(self):
        self.publish()
        writer = sqlite3.connect("catalog.ledger", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        for action in ("show", "history", "verify", "export"):
            self.text("ledger", action, "catalog.toml")
        writer.execute("ROLLBACK")
        writer.close()


class History(LedgerTest):
    def test_every_entry_the_newest_last(self):
        self.publish()
        lines = self.text("ledger", "history", "catalog.toml").splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["entry", "1", "2", "3", "4", "5", "6"])
        self.assertRegex(lines[0], "^entry +time +kind +analyst +study +epsilon +delta +charged by +release +request +answered$")
        self.assertRegex(lines[3], r"^ +3  20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ  reserve  anna +study +\S+  1e-07  total .* yes$")
        self.assertRegex(lines[5], r"reserve  ben +query +0\.146\d*  1e-07  total +[0-9a-f]{8}…  q-1 +yes$")
        entries = self.json("ledger", "history", "catalog.toml")["entries"]
        self.assertEqual([entry["kind"] for entry in entries], ["terms", "shares", "reserve", "settle", "reserve", "settle"])
        self.assertEqual(entries[4]["request"], "q-1")
        self.assertEqual([entry["answered"] for entry in entries], [None, None, True, None, True, None])
        self.assertTrue(entries[2]["utc"].endswith("Z"))

    def test_of_one_analyst_and_the_last_ones(self):
        self.publish()
        history = self.json("ledger", "history", "catalog.toml", "--analyst", "ben")["entries"]
        self.assertEqual([entry["index"] for entry in history], [5, 6])
        history = self.json("ledger", "history", "catalog.toml", "--last", "1")["entries"]
        self.assertEqual([entry["index"] for entry in history], [6])
        self.assertEqual(self.text("ledger", "history", "catalog.toml", "--analyst", "nobody"), "no such entries\n")

    def test_what_has_no_answer_says_no(self):
        self.publish()
        self.pay_without_an_answer()
        self.assertRegex(self.text("ledger", "history", "catalog.toml").splitlines()[-1], "died .* no$")


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
        self.file("same.json", json.dumps(published, indent=1))
        self.text("ledger", "verify", "catalog.toml", "--release", "same.json", "published/release.json")

        def changed(**members):
            return self.file("other.json", json.dumps({**published, **members}))

        receipt = published["ledger"]
        for members, saying in (({"ledger": {**receipt, "index": 4}}, "entry 4 has another hash than the release says"),
                                ({"ledger": {**receipt, "index": 9}}, "it names entry 9, and there are 6"),
                                ({"ledger": {**receipt, "index": -1}}, "it names entry -1"),
                                ({"ledger": {**receipt, "head": "0" * 64}}, "entry 3 has another hash"),
                                ({"release": "0" * 32}, "entry 3 paid for another release"),
                                ({"study": "another"}, "it says something else than what was stored")):
            self.assert_broken("'other.json' does not belong to this ledger: " + saying, "verify", "--release",
                               changed(**members))

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
        self.assert_broken("entry 6 is missing, and it was there")
        after("UPDATE tally SET left_epsilon = left_epsilon + 1", "tally_follows")
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
            left = ledger.execute("SELECT left_epsilon FROM tally").fetchone()[0]
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
        self.assertIn("noise: geometric", record)
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
