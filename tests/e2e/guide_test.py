"""The guide is true: every command in it is run, and prints what the page says. Usage: guide_test.py PROGRAM"""
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import unittest

from program import run

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide"
BLOCK = re.compile(r"^```\n(\$ vernier .*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?"
MARGINS_AGREE = 0.5  # of means: a hundred rows more or less by noise
BOUNDS_AGREE = 1e-3  # between versions: two bounds of one figure need not be the same digits
SIMULATIONS_AGREE = 0.1  # a thousand of them: the standard error of a coverage is 0.016 at most
COMMAND = re.compile(r"^\$ vernier (.*)\n((?:[^$].*\n)*)", re.MULTILINE)


def examples():
    """(page, command line, what it prints) for every command in a block of its own."""
    for page in sorted(GUIDE.glob("*.md")):
        for block in BLOCK.findall(page.read_text(encoding="utf-8")):
            for command, printed in COMMAND.findall(block):
                yield page.name, command, printed


def without_draws(command, printed):
    """Draws differ from run to run: every number of them counts as the same."""
    return re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "0", printed) if "--sample" in command else printed


def without_chance(printed):
    """Hashes, ids, times and folders differ from run to run."""
    printed = re.sub(r"\S+\.witness", "FILE.witness", printed)
    printed = re.sub(r"\b[0-9a-f]{64}\b", "HASH", printed)
    printed = re.sub(r"\b[0-9a-f]{8}…", "RELEASE", printed)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", printed)


def words_and_margins(printed):
    """A release with its numbers taken out, since they differ from run to run, and their margins, which do so for means."""
    margins = [float(margin.replace(",", "")) for margin in re.findall(r"± ([\d,.]*\d)", printed)]
    return re.sub(r"\s+", " ", re.sub(r"-?\d[\d,]*(\.\d+)? +± [\d,.]*\d", "0 ± 0", printed)), margins


def words_and_figures(printed):
    """The text with every number taken out, and the numbers; how far bounds are apart, and by how little one method
    is worse, may change with every improvement and does not count."""
    printed = re.sub(r"^gap .*$", "gap", printed, flags=re.MULTILINE)
    printed = re.sub(r"(the best|0\.00\d* % more|[\d.]+e-\d+ % more)$", "the best", printed, flags=re.MULTILINE)
    words = re.sub(r"\s+", " ", re.sub(NUMBER, "0", printed))
    return words, [float(number) for number in re.findall(NUMBER, printed)]

def without_keys(printed):
    """What differs from one installation to another: its key and where that lies; and how many private groups there are."""
    printed = re.sub(r"\b[0-9a-f]{64}\b", "KEY", re.sub(r"^MCow\S+$", "PEM", printed, flags=re.MULTILINE))
    printed = re.sub(r"^(rows|intervals) +\d+", r"\1 0", printed, flags=re.MULTILINE)
    return re.sub(r"\S+/vernier/signing.key", "PATH", re.sub(r" +", " ", printed))


class Guide(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for pattern in ("*.txt", "*.csv", "*.toml"):  # files that its commands read
            for data in GUIDE.glob(pattern):
                shutil.copy(data, folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def assert_same_bounds(self, printed, page):
        (words, figures), (page_words, page_figures) = words_and_figures(printed), words_and_figures(page)
        self.assertEqual(words, page_words)
        for figure, page_figure in zip(figures, page_figures, strict=True):
            self.assertAlmostEqual(figure, page_figure, delta=BOUNDS_AGREE * page_figure)

    def assert_same_release(self, printed, page):
        (words, margins), (page_words, page_margins) = words_and_margins(printed), words_and_margins(page)
        self.assertEqual(words, page_words)
        self.assertGreater(len(page_margins), 0)
        for margin, page_margin in zip(margins, page_margins, strict=True):
            self.assertAlmostEqual(margin, page_margin, delta=MARGINS_AGREE * page_margin)

    def assert_same_coverage(self, printed, page):
        """Simulations differ from run to run, and so may which points are refuted, of which there is one at least. The page
        leaves out the list of intervals."""
        printed = re.sub(r'"intervals":\[\{.*?\}\]', '"intervals":[…]', printed)
        without = lambda text: re.sub(r" +refuted$", "", text, flags=re.MULTILINE).replace("true", "false")
        (words, figures), (page_words, page_figures) = words_and_figures(without(printed)), words_and_figures(without(page))
        self.assertEqual(words, page_words)
        for figure, page_figure in zip(figures, page_figures, strict=True):
            self.assertAlmostEqual(figure, page_figure, delta=SIMULATIONS_AGREE + 0.1 * page_figure)

    def test_every_command_prints_what_the_page_says(self):
        found = list(examples())
        self.assertGreater(len(found), 5)
        for page, command, printed in found:
            done = run(*shlex.split(command))
            with self.subTest(page=page, command=command):
                if command.startswith(("release ", "query ")) and done.returncode == 0:
                    self.assert_same_release(done.stdout + done.stderr, printed)
                elif command.startswith("ledger "):
                    self.assertEqual(without_chance(done.stdout + done.stderr), without_chance(printed))
                elif command.startswith("coverage "):
                    self.assert_same_coverage(done.stdout + done.stderr, printed)
                elif command.startswith("compose "):
                    self.assert_same_bounds(done.stdout + done.stderr, printed)
                elif command.startswith(("verify ", "key")):
                    self.assertEqual(without_keys(done.stdout + done.stderr), without_keys(printed))
                else:
                    self.assertEqual(without_draws(command, done.stdout + done.stderr), without_draws(command, printed))


    def test_the_files_of_a_page_are_those_beside_it(self):
        for page, name in (("catalog.md", "people.toml"), ("first-release.md", "survey.toml"),
                           ("first-release.md", "commuting.toml"), ("ledger.md", "shared.toml"),
                           ("intervals.md", "inhabitants.toml")):
            text = (GUIDE / page).read_text(encoding="utf-8")
            self.assertIn("```toml\n" + (GUIDE / name).read_text(encoding="utf-8") + "```\n", text)


if __name__ == "__main__":
    unittest.main()
