"""Runs the built program as a user does. Its path is the first argument of every test."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/vernier")

# A home of its own: the key that signs releases and the witnesses of ledgers never come near those of a user.
HOME = tempfile.TemporaryDirectory()
ENVIRONMENT = {**os.environ, "HOME": HOME.name, "XDG_CONFIG_HOME": os.path.join(HOME.name, "config"),
               "XDG_STATE_HOME": os.path.join(HOME.name, "state")}


def run(*words, stdout=subprocess.PIPE, **changes):
    """The program with these words; `changes` of the environment, where None takes a variable away."""
    environment = {name: value for name, value in {**ENVIRONMENT, **changes}.items() if value is not None}
    return subprocess.run([PROGRAM, *words], stdout=stdout, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          text=True, timeout=240, check=False, env=environment)


def calibrate(mechanism, **stated):
    """The words of `vernier calibrate`: epsilon=1 becomes --epsilon 1."""
    words = ["calibrate", mechanism]
    for key, value in stated.items():
        words += [f"--{key}", str(value)]
    return words


def compose(*events, **stated):
    """The words of `vernier compose`: each event behind --event, and epsilon=1 as --epsilon 1."""
    words = ["compose"]
    for event in events:
        words += ["--event", event]
    for key, value in stated.items():
        words += [f"--{key}", str(value)]
    return words


class ProgramTest(unittest.TestCase):
    def text(self, *words):
        """What a successful run prints; nothing may stand on standard error."""
        done = run(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def json(self, *words):
        """The one object that a successful run prints."""
        printed = self.text(*words, "--json")
        self.assertEqual(printed.count("\n"), 1, "one object on one line")
        return json.loads(printed)

    def assert_refused(self, words, code=2, saying="", lines=1):
        """One sentence on standard error (with a statement and its caret it has three lines), nothing on standard output
        (with --json the parts of the error), and the exit code."""
        done = run(*words)
        self.assertEqual(done.returncode, code, (words, done))
        if "--json" in words:
            self.assertEqual("vernier: " + json.loads(done.stdout)["error"]["sentence"] + "\n", done.stderr, words)
        else:
            self.assertEqual(done.stdout, "", words)
        self.assertRegex(done.stderr, r"\Avernier: [^\n]+\n(  [^\n]*\n){%d}\Z" % (lines - 1), words)
        self.assertIn(saying, done.stderr, words)


class FolderTest(ProgramTest):
    """In an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def file(self, name, content, mode="w"):
        with open(name, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
            file.write(content)
        return name

    def content(self, name):
        with open(name, encoding="utf-8") as file:
            return file.read()
