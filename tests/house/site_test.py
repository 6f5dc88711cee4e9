"""The site is built whole: no link leads nowhere, nothing is fetched from elsewhere, and formulas are set."""
import os
import re
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from tree import ROOT, run

sys.path[:0] = [str(ROOT / "docs/site"), str(ROOT / "tools")]
from formulas import displayed, is_formula, sentence, tex  # noqa: E402
from house import files  # noqa: E402

PINS = dict(line.split("=", 1) for line in (ROOT / "tools/pins.sh").read_text().splitlines() if line and line[0] != "#")
DEPS = Path(os.environ.get("VERNIER_DEPS") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vernier")
ENVIRONMENT = DEPS / PINS["site_environment"]


class Formulas(unittest.TestCase):
    def test_powers_indices_and_signs(self):
        self.assertEqual(tex("e^{-1/s} <= 2^-53"), r"e^{-1/s} \le  2^{-53}")
        self.assertEqual(tex("Σ_{k>x} q^k"), r"\sum _{k>x} q^{k}")
        self.assertEqual(tex("σ² + S₀"), r"σ^{2} + S_{0}")
        self.assertEqual(tex("1e-12"), r"10^{-12}")

    def test_roots_and_absolute_values_go_round_what_they_are_of(self):
        self.assertEqual(tex("√(2L p(1-p)) x"), r"\sqrt{2L p(1-p)} x")
        self.assertEqual(tex("abs(x + (y))"), r"\lvert x + (y) \rvert ")

    def test_words_are_words(self):
        self.assertEqual(tex("a for all b"), r"a \text{ for all } b")
        self.assertEqual(tex("ln x"), r"\ln  x")

    def test_lines_keep_their_columns(self):
        self.assertIn("&", displayed("    total     Σ q = 1\n    variance  2q\n"))

    def test_code_is_no_formula(self):
        self.assertTrue(is_formula("    δ(ε) = Φ(a - b)\n"))
        for block in ('    SELECT a FROM b WHERE c = 1\n', '    "public_key":"64 hex digits"\n', "    prepare ─▶ price\n"):
            self.assertFalse(is_formula(block), block)

    def test_within_a_sentence(self):
        self.assertEqual(sentence("below 2^-43 and e^{-x}, p_i"), "below 2<sup>−43</sup> and e<sup>−x</sup>, p<sub>i</sub>")
        self.assertEqual(sentence("P[abs(X) > a]"), "P[&#124;X&#124; > a]")
        self.assertEqual(sentence("max_rows and x_test.cpp"), "max_rows and x_test.cpp")


class Page(HTMLParser):
    """Where a page leads and what it loads, and what can be led to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon") or tag in ("script", "img"):
            self.loaded.append(given.get("href") or given.get("src") or "")


@unittest.skipUnless((ENVIRONMENT / ".pin").exists(), "the site is not built here: tools/setup --docs fetches what builds it")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name).resolve() / "site"
        cls.built = run(ROOT / "tools/docs", cls.site, "--as-set-up")
        cls.pages = {path: Page(path.read_text()) for path in cls.site.rglob("*.html")}

    def test_it_is_built_without_a_warning(self):
        self.assertEqual((self.built.returncode, self.built.stderr), (0, ""), self.built.stdout)
        self.assertGreater(len(self.pages), 150)

    def test_no_link_and_no_anchor_leads_nowhere(self):
        dead = []
        for path, page in self.pages.items():
            for link in page.links + page.loaded:
                target, _, anchor = unquote(link).partition("#")
                if re.match(r"[a-z]+:", link) or path.name == "404.html":
                    continue
                file = Path(os.path.normpath(path.parent / target)) if target else path
                known = self.pages.get(file)
                if not file.is_file() or anchor and known and anchor not in known.ids and not anchor.startswith("__"):
                    dead.append(f"{path.relative_to(self.site)}: {link}")
        self.assertEqual(dead, [])

    def test_nothing_is_loaded_from_elsewhere(self):
        far = {link for page in self.pages.values() for link in page.loaded if re.match(r"[a-z]+://|//", link)}
        self.assertEqual(far, set())

    def test_every_page_of_theory_has_its_place_at_the_statisticians(self):
        listed = {Path(os.path.normpath(Path("docs/theory") / link)).with_suffix(".html")
                  for link in re.findall(r"\]\(([^)#]+\.md)", (ROOT / "docs/theory/README.md").read_text().split("## All pages")[1])}
        self.assertGreater(len(listed), 80)
        active = re.compile(r'md-tabs__item--active">\s*<a href="[^"]*" class="[^"]*">\s*(\w+)')
        elsewhere = [page for page in listed if active.findall((self.site / page).read_text()) != ["Statisticians"]]
        self.assertEqual(elsewhere, [])

    def test_formulas_are_set(self):
        found = re.search(r"(\d+) formulas of (\d+)", self.built.stdout)
        self.assertGreater(int(found[1]), 80)
        self.assertEqual(found[1], found[2])
        self.assertIn('class="katex', (self.site / "src/vernier/mechanism/gaussian.html").read_text())

    def test_a_search_finds_words_of_the_literature(self):
        index = (self.site / "search/search_index.js").read_text()
        self.assertIn("partition selection", index)


@unittest.skipUnless((ENVIRONMENT / ".pin").exists(), "the site is not built here: tools/setup --docs fetches what builds it")
class BadSite(unittest.TestCase):
    def build(self, folder, home):
        root, stage = folder / "project", folder / "stage/pages"
        for name in [page.relative_to(ROOT) for page in files(ROOT) if page.name == "README.md"] + [Path("docs/glossary.md")]:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            text = (ROOT / name).read_text() if str(name) == "docs/theory/README.md" else f"# {name.parent}\n"
            (root / name).write_text(re.sub(r"\]\([^)]*\)", "]", text))
        (root / "docs/README.md").write_text("".join(f"## {door}\n\n[g](glossary.md)\n\n" for door in (
            "For analysts and data stewards", "For statisticians and privacy researchers", "For contributors")))
        (root / "docs/site").mkdir()
        (root / "docs/site/home.md").write_text(home)
        stage.mkdir(parents=True)
        python = ENVIRONMENT / "bin/python"
        staged = run(python, ROOT / "docs/site/stage.py", root, stage, folder / "site", ENVIRONMENT / "node_modules")
        self.assertEqual(staged.returncode, 0, staged.stderr)
        return run(python, "-m", "mkdocs", "build", "--strict", "--config-file", stage.parent / "mkdocs.json",
                   env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})

    def test_a_dead_anchor_stops_the_build(self):
        for home, code in (("# Home\n\n[all](../glossary.md)\n", 0), ("# Home\n\n[all](../glossary.md#nothing)\n", 1)):
            with tempfile.TemporaryDirectory() as folder, self.subTest(home):
                built = self.build(Path(folder).resolve(), home)
                self.assertEqual(built.returncode, code, built.stderr)


if __name__ == "__main__":
    unittest.main()
