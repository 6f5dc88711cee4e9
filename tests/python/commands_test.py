"""The guide says that everything that the command line does can be done from Python. Both lists are compared here."""
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import survey  # noqa: F401  a home of its own

import vernier as vn

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A first look without Python, words for a shell, and what `python -m vernier` runs as a command.
ONLY_THERE = {"demo", "completion", "sql", "synthetic", "check-synthetic"}


def said(*words):
    return subprocess.run([sys.executable, "-m", "vernier", *words], capture_output=True, text=True, check=True).stdout


def commands():
    """What the program offers, with the actions of those that have several: "ledger export"."""
    names = re.findall(r"^  ([\w-]+) +\S", said("--help").split("Commands:")[1].split("'vernier COMMAND")[0], re.MULTILINE)
    for name in names:
        actions = set(re.findall(rf"^ *vernier {name} ([a-z]+)\b", said(name, "--help"), re.MULTILINE))
        yield from ({f"{name} {action}" for action in actions} if name in ("catalog", "engine", "ledger") else {name})


def table():
    """Of the guide: command by command, what does it in Python."""
    page = (ROOT / "docs/guide/python.md").read_text()
    rows = re.findall(r"^\| `vernier ([a-z ]+?)`(?:, `--\w+`)? \| (.*?) \|", page, re.MULTILINE)
    return {command: re.findall(r"`vn\.([A-Za-z_.]+)", cell) for command, cell in rows}


class Commands(unittest.TestCase):
    def test_every_command_is_in_the_table_of_the_guide(self):
        self.assertGreater(len(set(commands())), 18)
        self.assertEqual(set(commands()) - ONLY_THERE, set(table()))

    def test_every_name_in_the_table_is_there(self):
        for command, names in table().items():
            self.assertTrue(names, command)
            for name in names:
                with self.subTest(command=command, name=name):
                    thing = vn
                    for part in name.split("."):
                        thing = getattr(thing, part)
                    self.assertTrue(callable(thing) or isinstance(thing, property))


if __name__ == "__main__":
    unittest.main()
