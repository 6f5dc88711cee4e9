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


class Guide(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for data in GUIDE.glob("*.txt"):  # files that its commands read
            shutil.copy(data, folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_every_command_prints_what_the_page_says(self):
        found = list(examples())
        self.assertGreater(len(found), 5)
        for page, command, printed in found:
            done = run(*shlex.split(command))
            with self.subTest(page=page, command=command):
                self.assertEqual(without_draws(command, done.stdout + done.stderr), without_draws(command, printed))


if __name__ == "__main__":
    unittest.main()
