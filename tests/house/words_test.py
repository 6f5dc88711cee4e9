"""Words that are ours alone stand in the glossary, which leads both ways; what can be said plainly is said so."""
import os
import re
import unittest
from pathlib import Path

from tree import ROOT, run

# Words of this project, as a reader meets them, and the word of the glossary under which they stand.
OURS = {
    "accountant": "accountant", "audits?": "audit", "bounding": "bounding", "catalogs?": "catalog", "certificates?": "certificate",
    "canar(?:y|ies)": "canary", "choices?": "choice", "contrasts?": "contrast", "coverage": "coverage", "denois(?:e|ed|ing)": "denoising", "ends": "ends", "entry|entries": "entry", "events?": "event", "figures?": "figure",
    "filters?": "filter", "granularity": "granularity", "grid": "grid", "guaranteed": "guaranteed", "keys": "keys", "laws?": "law",
    "ledgers?": "ledger", "manners?": "manner", "max_groups": "max_groups", "max_rows": "max_rows", "measurements?": "measurement", "neighbours": "neighbours",
    "node sums": "node sums", "odometers?": "odometer", "orders? [0-9]": "order", "plans?": "plan", "price": "price", "proven": "proven", "ranks?": "rank",
    "reach(?:es)?": "reach", "records?": "record", "refute[ds]?": "refute", "rehearsed?": "rehearsal", "releases?": "release", "rooms?": "room",
    "row_limit": "row_limit", "scale": "scale", "series": "series", "shares?": "share", "simultaneous": "simultaneous", "slots?": "slot",
    "spreads?": "spread", "stewards?": "steward", "study|studies": "study", "tall(?:y|ies)": "tally", "threshold": "threshold",
    "typical_rows": "typical_rows", "units?": "unit", "views?": "view", "witness": "witness",
}
# The literature's words that every reader may search for.
LITERATURE = ["confidence interval", "margin of error", "privacy budget", "contribution bounding", "partition selection", "clamping",
              "exponential mechanism", "global sensitivity", "privacy loss distribution", "post-processing", "privacy unit"]
# What a native reader stumbles over, and what to write instead.
PLAINLY = {
    r"unless (?:given|told)\b": "default", r"\blikewise\b": "also, too, the same", r"\bmend(?:s|ed)?\b": "fix, repair",
    r"\b(?:is|are|was) told\b(?! apart)": "is reported", r"\bburnt\b": "lost", r"\bheaviest\b": "largest", r"\bthe usual one\b": "the default",
    r"\bhas in it\b": "contains", r"(?<!which )\bis meant;": "is stated",
}
PAGES = sorted([ROOT / "README.md", ROOT / "docs/README.md", *(ROOT / "docs/guide").glob("*.md")])


def prose(text):
    """Without code and addresses, which have words of their own."""
    text = re.sub(r"```.*?```", " ", text, flags=re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)|^    .*$", " ", text, flags=re.MULTILINE)


# Where sentences are written that a user reads: errors, answers, help, and what functions say of themselves.
SOURCES = {"src": (".cpp", ".hpp"), "apps": (".cpp", ".hpp"), "python/src": (".cpp", ".hpp"), "r/core": (".cpp", ".hpp"),
           "python/vernier": (".py", ".pyi"), "r/vernier/R": (".R",), "r/vernier/man": (".Rd",), "web/src": (".ts", ".tsx")}
LITERAL = re.compile(r'"""(.*?)"""|"((?:\\.|[^"\\\n])*)"', re.DOTALL)


def sentences(code):
    """The texts of a source file that are sentences: of four words at least; comments are for those who read the code."""
    code = re.sub(r"^\s*(?://|#include|# ).*$", "", code, flags=re.MULTILINE)
    texts = (doc or text for doc, text in LITERAL.findall(re.sub(r'"\s*\n\s*"', "", code)))
    return [text for text in texts if len(re.findall(r"\b[a-z]{2,}\b", text)) >= 4]


def told(path):
    """What a user may read of a file. Pages of R are text from end to end."""
    text = path.read_text()
    return [prose(text)] if path.suffix == ".Rd" else [prose(found) for found in sentences(text)]


def entries(page):
    """What stands in the first column of the tables of ours, and the rows of the last one."""
    ours, _, theirs = page.partition("## From the literature")
    first = [line.split("|")[1] for line in ours.splitlines() if line.startswith("| ") and "---" not in line]
    return " ; ".join(first).lower(), [line.split("|")[1:4] for line in theirs.splitlines() if line.startswith("| ")][1:]


def stumbles(name, text):
    return [f"{name}: '{found[0]}'; write {instead}" for pattern, instead in PLAINLY.items()
            for found in re.finditer(pattern, text, re.IGNORECASE)]


def missing(text, ours):
    """Words of OURS that the text uses and the glossary does not have."""
    return [entry for pattern, entry in OURS.items() if re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
            and not re.search(rf"\b{re.escape(entry)}", ours)]


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours, cls.theirs = entries((ROOT / "docs/glossary.md").read_text())

    def test_the_test_itself_finds_both_kinds(self):
        self.assertEqual(len(stumbles("x", "the step; 1 unless given. It is told.")), 2)
        self.assertEqual(missing("the laws of a room", "| unit | room"), ["law"])
        code = '// "it is told to the reader here"\nrefuse("the step is one of many "\n    "unless given");\nx = "two words";\n"""It is told in a\ndocstring."""\n'
        self.assertEqual(len(found := sentences(code)), 2, found)
        self.assertEqual(sum(len(stumbles("x", text)) for text in found), 2)

    def test_words_of_ours_are_in_the_glossary(self):
        used = {page.name: missing(prose(page.read_text()), self.ours) for page in PAGES}
        self.assertEqual({name: words for name, words in used.items() if words}, {})

    def test_pages_say_it_plainly(self):
        self.assertEqual([fault for page in PAGES for fault in stumbles(page.relative_to(ROOT), prose(page.read_text()))], [])

    def test_every_sentence_of_the_program_and_the_packages_is_plain_and_in_the_glossary(self):
        paths = [path for folder, suffixes in SOURCES.items() for path in sorted((ROOT / folder).rglob("*"))
                 if path.suffix in suffixes and not path.stem.endswith("_test")]
        texts = [(path.relative_to(ROOT), text) for path in paths for text in told(path)]
        self.assertGreater(len(texts), 3000)
        self.assertEqual([fault for path, text in texts for fault in stumbles(path, text)], [])
        self.assertEqual([(str(path), words, text) for path, text in texts if (words := missing(text, self.ours))], [])

    def test_the_glossary_leads_back_from_the_literature(self):
        known = " ; ".join(row[0] for row in self.theirs).lower()
        self.assertEqual([word for word in LITERATURE if word not in known], [])

    def test_every_word_that_it_leads_to_is_explained(self):
        for theirs, here, _ in self.theirs:
            for word in re.findall(r"`([a-z_-]+)`", here) or [here.strip().split(",")[0].split(":")[0]]:
                with self.subTest(theirs):
                    self.assertIn(word.strip().lower(), self.ours)

    def test_the_readme_is_short_and_shows_a_table_and_a_picture(self):
        text = (ROOT / "README.md").read_text()
        self.assertLessEqual(text.count("\n"), 150)
        self.assertRegex(text, r"± ?\d")
        self.assertRegex(text, r"!\[[^\]]+\]\([^)]+\.(?:png|svg)\)")
        for word in LITERATURE[:3] + ["differential privacy"]:
            with self.subTest(word):
                self.assertIn(word, text.lower())


class Help(unittest.TestCase):
    """What --help prints of every command, where the program is built."""

    @classmethod
    def setUpClass(cls):
        program = os.environ.get("VERNIER_PROGRAM") or ROOT / "build/bin/vernier"
        if not Path(program).exists():
            raise unittest.SkipTest("the program is not built, so its help is not read")
        listed = run(program, "--help").stdout
        commands = re.findall(r"^  ([a-z]+) +\S", listed.split("Commands:")[1].split("'vernier COMMAND")[0], re.MULTILINE)
        cls.texts = {"": listed, **{one: run(program, one, "--help").stdout for one in commands}}
        cls.ours, _ = entries((ROOT / "docs/glossary.md").read_text())

    def test_there_is_help_for_every_command(self):
        self.assertGreater(len(self.texts), 12)
        self.assertEqual([name for name, text in self.texts.items() if "Example:" not in text], [])

    def test_it_says_it_plainly(self):
        self.assertEqual([fault for name, text in self.texts.items() for fault in stumbles(f"vernier {name} --help", text)], [])

    def test_words_of_ours_are_in_the_glossary(self):
        used = {name: missing(text, self.ours) for name, text in self.texts.items()}
        self.assertEqual({name: words for name, words in used.items() if words}, {})


if __name__ == "__main__":
    unittest.main()
