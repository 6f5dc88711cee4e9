"""The types of the package hold, and what the guides show is right by them: mypy and pyright read it."""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ("docs/guide/python.md", "README.md")

RIGHT = """
import vernier as vn
one: float = vn.compose("laplace,scale=20", delta=1e-6).epsilon.upper
other: float = vn.compose("laplace,scale=20", epsilon=1).delta.upper
scale: float = vn.compose("laplace,times=3", epsilon=1, delta=1e-6, solve="scale").scale
column = vn.Column("integer", bounds=(0, 100))
"""
WRONG = """
import vernier as vn
vn.Column("integr")
vn.release("study.toml", documents=["svg"])
vn.Table({}, neighbours="both")
vn.Statistic("a", "SELECT 1", covers="all")
vn.compose("laplace,scale=20", delta=1e-6).epsilon.lowest
vn.query("catalog.toml")
"""


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)


def code(block):
    """Of a block with prompts, what is typed."""
    if not block.startswith(">>>"):
        return block
    return "\n".join(line[4:] for line in block.splitlines() if line.startswith((">>> ", "... ")))


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed; run: pip install mypy")
class Types(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.TemporaryDirectory()  # what is read of the libraries serves all tests
        cls.addClassCleanup(cls.cache.cleanup)

    def checked(self, *paths):
        """What mypy says, but of the types of the extension, which are made by its own tool."""
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file=", "--ignore-missing-imports", "--no-error-summary",
                               "--cache-dir", self.cache.name, *map(str, paths)],
                              capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "python")}, cwd=ROOT)
        return [line for line in done.stdout.splitlines() if "_core.pyi" not in line]

    def of_text(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "snippet.py")
            path.write_text(text)
            return self.checked(path)

    def test_the_package_has_the_types_that_it_states(self):
        self.assertEqual(self.checked(ROOT / "python/vernier"), [])

    def test_what_the_guides_show_is_right(self):
        for page in PAGES:
            with self.subTest(page):
                self.assertEqual(self.of_text("\n".join(map(code, blocks(page)))), [])

    def test_what_is_right_is_taken_and_what_is_wrong_is_seen(self):
        self.assertEqual(self.of_text(RIGHT), [])
        wrong = {int(re.search(r":(\d+): error", line)[1]) for line in self.of_text(WRONG) if "error" in line}
        self.assertEqual(wrong, set(range(3, len(WRONG.splitlines()) + 1)))


def pyright():
    """Where tools/setup --python has put it; None where it has not."""
    found = sorted(pathlib.Path(sys.executable).parents[2].glob("pyright-*/node_modules/pyright/dist/pyright.js"))
    return found[-1] if found and shutil.which("node") else None


@unittest.skipUnless(pyright(), "pyright is not there; run: tools/setup --python")
class TypesForPyright(unittest.TestCase):
    maxDiff = None

    def errors(self, text):
        """The lines of a snippet in which it finds an error."""
        program = pyright()
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "snippet.py").write_text(text)
            pathlib.Path(folder, "pyrightconfig.json").write_text(json.dumps(
                {"include": ["snippet.py"], "extraPaths": [str(ROOT / "python")], "pythonPlatform": "Linux",
                 "typeshedPath": str(program.parent / "typeshed-fallback")}))
            done = subprocess.run(["node", program, "--project", folder, "--outputjson", "--pythonpath", sys.executable],
                                  capture_output=True, text=True, check=False)
        return [(one["range"]["start"]["line"] + 1, one["message"]) for one in json.loads(done.stdout)["generalDiagnostics"]
                if one["severity"] == "error"]

    def test_what_the_guides_show_is_right(self):
        self.assertEqual(self.errors("\n".join(code(block) for page in PAGES for block in blocks(page)) + RIGHT), [])

    def test_what_is_wrong_is_seen(self):
        self.assertEqual({line for line, _ in self.errors(WRONG)}, set(range(3, len(WRONG.splitlines()) + 1)))


if __name__ == "__main__":
    unittest.main()
