"""`vernier ledger show` and `history` as a steward runs them. Usage: ledger_test.py PROGRAM"""
import os
import sqlite3
import unittest

from ledgers import SHARES, LedgerTest
from program import ENVIRONMENT, run


class Nothing(LedgerTest):
    def test_who_only_looks_leaves_no_trace(self):
        state = os.path.abspath("state")
        for words in (("ledger", "show", "catalog.toml"), ("ledger", "verify", "catalog.toml"), ("plan", "study.toml")):
            self.assertEqual(run(*words, XDG_STATE_HOME=state).returncode, 0)
        self.assertFalse(os.path.exists(state))
        run("release", "study.toml", "--analyst", "anna", "--out", "published", XDG_STATE_HOME=state)
        self.assertEqual([name[-8:] for name in os.listdir(os.path.join(state, "vernier"))], [".witness"])

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

    def test_no_command_shows_a_password(self):
        address = "postgresql://me:s3cret@127.0.0.1:1/db?options=-csearch_path%3Dx"
        self.break_file("catalog.toml", "delta = 1e-6\n", f'delta = 1e-6\nledger = "{address}"\n')
        for words in (["catalog", "check", "catalog.toml"], ["catalog", "check", "catalog.toml", "--json"],
                      ["ledger", "show", "catalog.toml"], ["ledger", "verify", "catalog.toml"], ["plan", "study.toml"],
                      ["release", "study.toml", "--analyst", "anna"]):
            done = run(*words)
            self.assertNotIn("s3cret", done.stdout + done.stderr, words)
            self.assertIn("postgresql://me@127.0.0.1:1/db?options=-csearch_path%3Dx", done.stdout + done.stderr, words)

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
        self.assertRegex(text, r"(?m)^ben +0\.146\d* +0 +0\.9 +3e-07  ██░░░░░░░░  16\.\d %$")
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
        self.assertTrue(shown["witness"]["file"].startswith(ENVIRONMENT["XDG_STATE_HOME"]))
        self.assertEqual(shown["witness"]["index"], 6)

    def test_so_many_counts_can_be_had_and_no_more(self):
        line = self.json("ledger", "show", "catalog.toml", "--within", "20")["counts"][0]["more"][1]
        self.assertEqual((line["analyst"], line["delta"]), ("ben", 1e-7))
        self.file("one.toml", 'catalog = "catalog.toml"\n[[statistic]]\nname = "n"\n'
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
        self.assertRegex(lines[5], r"reserve  ben +query +0\.146\d* +0  total +[0-9a-f]{8}…  q-1 +yes$")
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


if __name__ == "__main__":
    unittest.main()
