"""A tiny project in a temporary folder, and a check script run over it."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


class TreeTest(unittest.TestCase):
    check = ""  # the script under test, set by each class

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self):
        return run(sys.executable, ROOT / "tools" / self.check, self.root)

    def expect_clean(self):
        result = self.run_check()
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def expect_finding(self, *words):
        result = self.run_check()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stdout)
