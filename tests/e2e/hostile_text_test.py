"""Texts that deceive the eye, or fill the disk, in rows and names. Usage: hostile_text_test.py PROGRAM"""
import glob
import json
import os
import unicodedata
import unittest

from program import run
from studies import CATALOG, StudyTest

# A C1 control that begins a sequence, a C0 one, one that turns the direction of what follows, one that cannot be seen.
HOSTILE = "Evil\u009b31m\x1b[2J\u202egnirts\u2066\u200b\u0085"
TOWNS = "SELECT town, COUNT(*) AS people FROM people GROUP BY town"
LONG = 300_000


def unseen(text):
    """The characters in it that a terminal obeys or that nobody sees; line ends and tabs apart."""
    return {c for c in text if c not in "\t\n\r" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")}


class HostileText(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG.replace("epsilon = 3.0", "epsilon = 300.0"))

    def towns(self, *towns):
        """1,000 people in each of these."""
        lines = [f"{i},north,3,12,\"{town}\"" for i, town in enumerate(t for t in towns for _ in range(1000))]
        self.file("people.csv", "id,region,educ,income,town\n" + "\n".join(lines) + "\n")

    def ask(self, *words, sql=TOWNS):
        return run("query", sql, "--catalog", "catalog.toml", "--epsilon", "10", "--delta", "1e-7", *words)

    def test_nothing_of_a_private_key_reaches_a_terminal_unseen(self):
        self.towns(HOSTILE, "Aville")
        shown, as_json = self.ask(), self.ask("--json")
        self.assertEqual((shown.returncode, as_json.returncode), (0, 0), shown.stderr + as_json.stderr)
        self.assertIn("Evil\\u{9b}31m\\x1b[2J\\u{202e}gnirts", shown.stdout)
        self.assertEqual((unseen(shown.stdout), unseen(as_json.stdout)), (set(), set()))
        keys = [row["town"] for row in json.loads(as_json.stdout)["statistics"][0]["rows"]]
        self.assertEqual(sorted(keys), ["Aville", HOSTILE])  # JSON escapes it, and gives it back as it was

    def test_nothing_of_it_is_in_a_file_of_a_release(self):
        self.towns(HOSTILE, "Aville")
        self.text("release", "study.toml", "--out", "out")
        for path in glob.glob("out/*"):
            if not path.endswith(".parquet"):
                with self.subTest(path=path):
                    self.assertEqual(unseen(self.content(path)), set())
        self.assertIn("Evil\\u{9b}31m", self.content("out/towns.csv"))
        self.assertIn("Evil\\u{9b}31m", self.content("out/report.html"))
        self.text("verify", "out")

    def test_nothing_of_an_alias_a_name_or_a_wrong_word_does(self):
        for name in ("\u009b31m", "\u202eabc", "a\u200bb"):
            for words in (["query", f'SELECT COUNT(*) AS "{name}" FROM people', "--catalog", "catalog.toml", "--epsilon", "1"],
                          ["query", f'SELECT COUNT(*) AS n FROM "{name}"', "--catalog", "catalog.toml", "--epsilon", "1"],
                          ["release", f"{name}.toml"], ["plan", "study.toml", "--plot", name], [name],
                          ["verify", name], ["law", name], ["ledger", "show", name]):
                done = run(*words)
                self.assertEqual(unseen(done.stdout + done.stderr), set(), words)

    def test_a_key_that_is_too_long_is_no_key(self):
        """Its rows are left out, as those without a key are; others are as they were, and nothing grows with it."""
        self.towns("L" * 1025, "é" * 512, "é" * 513, "Aville")
        as_json = self.ask("--json")
        keys = [row["town"] for row in json.loads(as_json.stdout)["statistics"][0]["rows"]]
        self.assertEqual(sorted(keys), ["Aville", "é" * 512])
        (certified,) = json.loads(as_json.stdout)["certificate"]["statistics"]
        self.assertEqual(certified["private_keys"]["longest"], 1024)

    def test_one_long_cell_fills_no_disk(self):
        self.towns("Aville")
        with open("people.csv", "a", encoding="utf-8") as file:
            file.writelines(f"{5000 + i},north,3,12,{'L' * LONG}\n" for i in range(40))
        before = self.ask("--request", "a")
        self.assertEqual(before.returncode, 0, before.stderr)
        self.assertLess(len(before.stdout), 10_000)
        self.assertLess(os.path.getsize("catalog.ledger"), 1_000_000)


if __name__ == "__main__":
    unittest.main()
