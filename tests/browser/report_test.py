"""report.html in a real browser. Usage: report_test.py PROGRAM MODULES PICTURES

Looks at the page of `vernier demo` and at one of a hostile release, at a desk, on a phone, in the dark and on paper.
MODULES has the npm packages of package.json (tools/setup --browser puts them there); PICTURES gets what was seen."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "e2e"))
PICTURES, MODULES = (os.path.abspath(sys.argv.pop()) for _ in range(2))

import hostile  # noqa: E402
from program import ENVIRONMENT, run  # noqa: E402

BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
FORMS = ["desktop", "phone", "dark", "print"]


def lacking():
    """What is not there, in one sentence; empty where everything is."""
    for what, is_there in (("Chromium", BROWSER), ("Node", shutil.which("node")),
                           ("playwright-core", os.path.isdir(os.path.join(MODULES, "node_modules", "playwright-core")))):
        if not is_there:
            return f"the page is not looked at, since {what} is missing: tools/setup --browser installs it"
    return ""


def released(*words):
    done = run(*words)
    assert done.returncode == 0, done.stderr


def make_pages(folder):
    """demo.html and hostile.html in the folder."""
    released("demo", "--out", f"{folder}/demo", "--json")
    shutil.copy(f"{folder}/demo/release/report.html", f"{folder}/demo.html")
    pathlib.Path(folder, "catalog.toml").write_text(hostile.catalog(), encoding="utf-8")
    pathlib.Path(folder, "study.toml").write_text(hostile.study(), encoding="utf-8")
    hostile.write_people(f"{folder}/people.csv")
    released("release", f"{folder}/study.toml", "--out", f"{folder}/hostile", "--json")
    shutil.copy(f"{folder}/hostile/report.html", f"{folder}/hostile.html")


def look(*pages):
    environment = {**ENVIRONMENT, "VERNIER_BROWSER_MODULES": MODULES}
    done = subprocess.run(["node", HERE / "look.mjs", BROWSER, PICTURES, *pages], capture_output=True, text=True, timeout=500,
                          check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@unittest.skipIf(lacking(), lacking())
class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            make_pages(folder)
            cls.seen = look(f"{folder}/demo.html", f"{folder}/hostile.html")

    def for_each(self, check):
        for page in ("demo.html", "hostile.html"):
            for form in FORMS:
                with self.subTest(page=page, form=form):
                    check(self.seen[page][form])

    def test_it_says_nothing_on_the_console_and_asks_nobody(self):
        self.for_each(lambda seen: self.assertEqual((seen["messages"], seen["requests"]), ([], [])))

    def test_no_name_became_markup(self):
        self.for_each(lambda seen: self.assertEqual(seen["injected"], 0))

    def test_it_is_never_wider_than_the_screen_and_no_word_of_a_chart_is_cut(self):
        self.for_each(lambda seen: self.assertEqual((seen["wide"], seen["outside"]), (0, [])))

    def test_every_chart_is_shown_once_in_every_form(self):
        for form in FORMS:
            self.assertEqual(self.seen["demo.html"][form]["charts"], 12)
            self.assertEqual(self.seen["hostile.html"][form]["charts"], 11)

    def test_axe_finds_nothing(self):
        self.for_each(lambda seen: self.assertEqual(seen["violations"], []))
        self.for_each(lambda seen: self.assertGreater(seen["passes"], 30))  # it did look

    def test_it_is_dark_where_the_reader_wants_it_and_light_on_paper(self):
        for page in self.seen.values():
            self.assertEqual({form: page[form]["background"] for form in FORMS},
                             {"desktop": "rgb(255, 255, 255)", "phone": "rgb(255, 255, 255)",
                              "dark": "rgb(21, 26, 33)", "print": "rgb(255, 255, 255)"})

    def test_its_pictures_are_there(self):
        for page in ("demo", "hostile"):
            for form in FORMS:
                self.assertGreater(os.path.getsize(os.path.join(PICTURES, f"{page}-{form}.png")), 20_000)


if __name__ == "__main__":
    unittest.main(verbosity=2)  # which tells why something is skipped
