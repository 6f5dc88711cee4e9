import re
import sys
import unittest

from tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from house import files  # noqa: E402

LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(?:#[^)]*)?\)")


def packages():
    lines = (ROOT / "tools/packages.txt").read_text().splitlines()
    return {line.split()[1].split("=")[0] for line in lines if line and not line.startswith("#")}


def pins():
    lines = (ROOT / "tools/pins.sh").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def written_tests():
    """(suite, name) of every test of C++ and of the Python package."""
    in_cpp = "".join(path.read_text() for path in files(ROOT) if path.name.endswith("_test.cpp"))
    for path in (ROOT / "tests/python").glob("*_test.py"):
        for suite in re.split(r"^(?=class )", path.read_text(), flags=re.MULTILINE)[1:]:
            name = re.match(r"class (\w+)", suite).group(1)
            yield from ((name, test) for test in re.findall(r"    def (test_\w+)\(", suite))
    yield from re.findall(r"TEST\w*\((\w+), (\w+)\)", in_cpp)


class Pages(unittest.TestCase):
    def test_links_within_the_project_lead_somewhere(self):
        pages = [path for path in files(ROOT) if path.suffix == ".md"]
        links = [(page, target) for page in pages for target in LINK.findall(page.read_text())]
        self.assertGreater(len(links), 20)
        dead = [f"{page.relative_to(ROOT)}: {target}" for page, target in links if not (page.parent / target).exists()]
        self.assertEqual(dead, [])

    def test_every_promise_names_a_test_that_exists(self):
        named = re.findall(r"`(\w+\.\w+)`", (ROOT / "docs/limits.md").read_text())
        self.assertGreater(len(named), 30)
        written = set(written_tests())
        self.assertEqual([name for name in named if tuple(name.split(".")) not in written], [])

    def test_every_package_that_is_installed_is_explained(self):
        page = (ROOT / "docs/dependencies.md").read_text()
        rows = [line.rsplit("|", 2)[1] for line in page.splitlines() if line.startswith("|") and "Debian `" in line]
        self.assertEqual(set(re.findall(r"`([^`]+)`", " ".join(rows))), packages())

    def test_the_page_names_the_pinned_versions(self):
        page = (ROOT / "docs/dependencies.md").read_text()
        for name in ("duckdb_version", "duckdb_module", "duckdb_module_version", "browser_version"):
            with self.subTest(name):
                self.assertIn(pins()[name], page)

    def test_every_decision_is_in_the_index(self):
        folder = ROOT / "docs/decisions"
        index = (folder / "README.md").read_text()
        numbered = {path.name for path in folder.glob("[0-9]*.md")}
        self.assertEqual(set(re.findall(r"\]\((\d[^)]*\.md)\)", index)), numbered)


if __name__ == "__main__":
    unittest.main()
