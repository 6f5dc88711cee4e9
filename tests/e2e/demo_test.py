"""`vernier demo` as a user runs it. Usage: demo_test.py PROGRAM"""
import json
import os
import time
import unittest

from program import FolderTest


class Demo(FolderTest):
    def test_it_plans_releases_and_says_where_the_files_are(self):
        begun = time.monotonic()
        text = self.text("demo")
        self.assertLess(time.monotonic() - begun, 60)  # ten seconds on a machine that does nothing else
        self.assertRegex(text, r"(?m)^16 Doctorate degree +[\d,]+ +± \d+ +[\d,]+ +± [\d,]+$")
        self.assertRegex(text, r"(?m)^female +[\d,]+ +± [\d,]+ +[\d,]+ +± [\d,]+ +[\d,]+ +± [\d,]+$")
        self.assertRegex(text, r"(?m)^clinic 01 +[\d,]+ +± \d+$")
        self.assertIn("what was published (vernier-demo/release)", text)
        self.assertIn("look at it: vernier-demo/release/report.html", text)
        self.assertTrue(os.path.exists("vernier-demo/release/report.html"))
        self.assertEqual(sorted(os.listdir("vernier-demo")),
                         ["catalog.ledger", "catalog.toml", "people.csv", "release", "study.toml", "tables", "tables.toml", "visits.csv"])
        with open("vernier-demo/release/release.json", encoding="utf-8") as file:
            release = json.load(file)
        self.assertLessEqual(release["guarantee"]["epsilon"], 1)
        self.assertTrue(os.path.exists("vernier-demo/tables/report.html"))
        self.assertIn("add up estimates, never values", text)
        self.assertTrue(self.text("verify", "vernier-demo/tables"))
        people = sum(row["people"]["value"] for row in release["statistics"][0]["rows"])
        self.assertLess(abs(people - 200_000), 2000)

    def test_it_never_touches_the_files_of_another(self):
        os.mkdir("vernier-demo")
        self.file("vernier-demo/mine.txt", "mine")
        self.text("demo", "--json")
        self.assertEqual(os.listdir("vernier-demo"), ["mine.txt"])
        self.assertIn("release", os.listdir("vernier-demo-2"))
        self.assert_refused(["demo", "--out", "vernier-demo"], saying="exists already")
        self.assert_refused(["demo", "--into", "x"], saying="--into is unknown")


if __name__ == "__main__":
    unittest.main()
