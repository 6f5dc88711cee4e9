"""`vernier release` as a user runs it. Usage: release_test.py PROGRAM"""
import csv
import glob
import hashlib
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock
import xml.etree.ElementTree as xml

from program import PROGRAM, run
from studies import CANARY, StudyTest

NUMBER_KEYS = ["value", "accuracy", "interval", "confidence", "covers", "coverage"]


class Release(StudyTest):
    def test_it_writes_json_and_one_csv_per_statistic(self):
        text = self.text("release", "study.toml", "--out", "published")
        self.assertIn("written to published", text)
        self.assertEqual(sorted(os.listdir("published")), ["all-known.svg", "all-total.svg", "all.csv", "income-by-region-income.svg", "income-by-region-people.svg",
                          "income-by-region.csv", "release.json", "report.html", "results.parquet", "towns.csv", "towns.svg"])
        release = self.release("published")
        self.assertEqual(list(release), ["release", "study", "unit", "neighbours", "guarantee", "statistics", "catalog_hash",
                                         "plan_hash", "ledger", "versions", "assumptions", "certificate"])
        statistic = release["statistics"][0]
        self.assertEqual(list(statistic), ["name", "sql", "keys", "rows", "releases"])
        self.assertEqual([row["region"] for row in statistic["rows"]], ["north", "south", "west"])
        for row in statistic["rows"]:
            self.assertEqual(list(row), ["region", "people", "income"])
            self.assertEqual(list(row["people"]), NUMBER_KEYS)
            self.assertEqual(list(row["income"]), [*NUMBER_KEYS, "informative", "may_be_empty"])
            self.assertIsInstance(row["people"]["value"], int)
            self.assertEqual(row["income"]["confidence"], 0.95)
            low, high = row["income"]["interval"]
            self.assertTrue(0 <= low <= row["income"]["value"] <= high <= 1000)
        self.assertEqual(release["ledger"]["index"], 2)  # behind the terms
        self.assertTrue(release["versions"]["engine"].startswith("DuckDB "))

    def test_the_numbers_are_about_the_data(self):
        release = json.loads(self.text("release", "study.toml", "--json"))
        north, south, west = [row["people"]["value"] for row in release["statistics"][0]["rows"]]
        for value, exact in ((north, 1501), (south, 500), (west, 0)):
            self.assertLess(abs(value - exact), 400)  # eight accuracies
        self.assertEqual([row["town"] for row in release["statistics"][2]["rows"]], ["Btown", "Aville"])

    def surely(self):
        """Intervals that fail once in a thousand million times, so that tests may rely on them."""
        self.break_file("study.toml", "accuracy = { people = 50 }\n", "")
        self.break_file("study.toml", "budget =", "alpha = 1e-9\nbudget =")

    def test_an_empty_group_says_that_it_may_be_empty(self):
        self.surely()
        north, _, west = json.loads(self.text("release", "study.toml", "--json"))["statistics"][0]["rows"]
        self.assertTrue(west["income"]["may_be_empty"])
        self.assertFalse(north["income"]["may_be_empty"])
        self.assertTrue(north["income"]["informative"])
        self.assertEqual(north["income"]["confidence"], 1 - 1e-9)

    def test_csv_and_json_say_the_same(self):
        self.text("release", "study.toml")
        with open("study-release/income-by-region.csv", newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        rows = self.release("study-release")["statistics"][0]["rows"]
        self.assertEqual(list(lines[0]), ["region", "people", "people_low", "people_high", "income", "income_low", "income_high"])
        for line, row in zip(lines, rows, strict=True):
            self.assertEqual(line["region"], row["region"])
            for column in ("people", "income"):
                figures = [float(line[name]) for name in (column, f"{column}_low", f"{column}_high")]
                self.assertEqual(figures, [row[column]["value"], *row[column]["interval"]])

    def test_the_table_has_margins_and_labels(self):
        self.surely()
        text = self.text("release", "study.toml")
        self.assertRegex(text, r"(?m)^south Süden +[\d,]+ +± \d+ +[\d,.]+ +± [\d,.]+(, may be empty)?$")
        self.assertRegex(text, r"(?m)^west +[\d,]+ +± \d+ +.*(no information|may be empty)$")
        self.assertIn("groups with too few units are not published", text)

    def test_the_page_and_the_charts_say_what_the_release_says(self):
        self.text("release", "study.toml", "--out", "published")
        page = self.content("published/report.html")
        for row in self.release("published")["statistics"][0]["rows"]:
            low, high = row["people"]["interval"]
            self.assertIn(f"<td class=\"whole\">{low:,} to {high:,}", page)
            self.assertIn(f"<td class=\"number\">{row['people']['value']:,}</td>", page)
        self.assertIn("south Süden", page)
        self.assertNotRegex(page, "<script|<img|<link|https?:")
        for name in glob.glob("published/*.svg"):
            self.assertTrue(xml.parse(name).getroot().tag.endswith("svg"))

    def test_the_ledger_keeps_every_file_and_gives_it_again(self):
        self.text("release", "study.toml", "--out", "first", "--request", "r1")
        self.text("release", "study.toml", "--out", "second", "--request", "r1")
        for name in os.listdir("first"):
            with open(f"first/{name}", "rb") as first, open(f"second/{name}", "rb") as second:
                self.assertEqual(first.read(), second.read(), name)
        self.assertEqual(sorted(os.listdir("first")), sorted(os.listdir("second")))
        self.assertEqual(len(self.entries()), 1)

    def test_a_request_has_no_answer_for_other_data(self):
        """The same words about another source, or by another catalog, are another request."""
        ask = ["query", "SELECT COUNT(*) AS n FROM people", "--catalog", "catalog.toml", "--epsilon", "0.1", "--json"]
        os.rename("people.csv", "2025.csv")
        self.file("2026.csv", "id,region,educ,income,town\n")
        os.symlink("2025.csv", "people.csv")
        first = self.text(*ask, "--request", "r1")
        self.assertEqual(self.text(*ask, "--request", "r1"), first)
        os.remove("people.csv")
        os.symlink("2026.csv", "people.csv")
        other = "the request 'r1' was made before for another plan, analyst, catalog or source of data"
        self.assert_nothing_spent([*ask, "--request", "r1"], 2, other)
        os.remove("people.csv")
        os.rename("2025.csv", "people.csv")
        self.assert_nothing_spent([*ask, "--request", "r1"], 2, other)
        os.rename("people.csv", "2025.csv")
        os.symlink("2025.csv", "people.csv")
        self.assertEqual(self.text(*ask, "--request", "r1"), first)
        self.file("catalog.toml", "# another text\n" + self.content("catalog.toml"))
        self.assert_nothing_spent([*ask, "--request", "r1"], 2, other)
        self.assertNotEqual(self.text(*ask, "--request", "r2"), first)

    def test_the_record_says_where_it_was_asked_without_naming_it(self):
        self.text("release", "study.toml", "--out", "out")
        said = ["people", "csv", ",", "quoted", os.path.realpath("people.csv")]  # name, format, the file behind all links
        text = b"".join(b"%d:%s," % (len(one.encode()), one.encode()) for one in said)
        self.assertEqual(self.release("out")["certificate"]["sources"], hashlib.sha256(text).hexdigest())
        self.assertNotIn("people.csv", self.content("out/release.json"))

    def test_a_rare_name_is_in_no_output(self):
        with tempfile.TemporaryDirectory() as temporary, unittest.mock.patch.dict(os.environ, {"TMPDIR": temporary}):
            self.assertNotIn(CANARY, self.text("release", "study.toml") + self.text("plan", "study.toml"))
            self.assertEqual(os.listdir(temporary), [])
        for path in glob.glob("**", recursive=True):
            if os.path.isfile(path) and path != "people.csv":
                with open(path, "rb") as file:
                    self.assertNotIn(CANARY.encode(), file.read(), path)

    def test_a_release_is_never_written_over_another(self):
        self.text("release", "study.toml", "--out", "published")
        self.assert_nothing_spent(["release", "study.toml", "--out", "published"], 2, "'published' exists already")
        self.assert_nothing_spent(["release", "study.toml", "--out", "."], 2, "'.' exists already")
        self.assert_nothing_spent(["release", "study.toml", "--out", "no/such/place"], 1, "cannot be written")
        os.mkdir("empty")
        self.break_file("study.toml", "epsilon = 1.0", "epsilon = 0.8")
        self.text("release", "study.toml", "--out", "empty/")
        self.assertIn("release.json", os.listdir("empty"))

    def test_names_of_statistics_are_no_paths(self):
        self.break_file("study.toml", 'name = "all"', 'name = "../../Income/by region"')
        self.text("release", "study.toml", "--out", "published")
        self.assertEqual(sorted(os.listdir("published")),
                         ["income-by-region-2.csv", "income-by-region-income.svg", "income-by-region-known.svg",
                          "income-by-region-people.svg", "income-by-region-total.svg", "income-by-region.csv",
                          "release.json", "report.html", "results.parquet", "towns.csv", "towns.svg"])


class OnATerminal(StudyTest):
    def test_a_bar_shows_how_far_it_is_and_goes_away(self):
        try:
            terminal, inside = os.openpty()
        except OSError:
            self.skipTest("there is no pseudo-terminal here")
        with subprocess.Popen([PROGRAM, "release", "study.toml"], stdout=subprocess.DEVNULL, stderr=inside) as process:
            self.assertEqual(process.wait(timeout=60), 0)
        os.close(inside)
        shown = os.read(terminal, 1 << 16).decode()
        os.close(terminal)
        self.assertIn("\rrunning  [", shown)
        self.assertTrue(shown.endswith("\r\x1b[K"), shown)

    def test_elsewhere_there_is_none(self):
        self.assertEqual(run("release", "study.toml").stderr, "")


class Refused(StudyTest):
    def test_data_that_is_missing_or_other_than_declared_costs_nothing(self):
        self.assert_nothing_spent(["release", "none.toml"], 1, "none.toml")
        self.break_file("people.csv", "id,region,educ", "id,area,educ")
        self.assert_nothing_spent(["release", "study.toml"], 2, "region")
        os.remove("people.csv")
        self.assert_nothing_spent(["release", "study.toml"], 1, "people.csv")

    def test_types_that_disagree_with_the_data_are_null_and_no_error(self):
        self.break_file("catalog.toml", 'town   = { type = "string" }', 'town   = { type = "integer" }')
        self.break_file("study.toml", "GROUP BY town ORDER BY town DESC", "GROUP BY town")
        self.text("release", "study.toml")
        self.assertEqual(self.release("study-release")["statistics"][2]["rows"], [])

    def test_more_than_is_left_is_refused(self):
        self.break_file("catalog.toml", "epsilon = 3.0", "epsilon = 1.2")
        releases = 0
        while self.json("plan", "study.toml")["ledger"]["affordable"]:
            releases += 1
            self.text("release", "study.toml", "--out", f"release{releases}")
        self.assertTrue(1 <= releases <= 3)
        self.assert_nothing_spent(["release", "study.toml", "--out", "more"], 1, "more than is left")
        self.assertEqual((len(self.entries()), glob.glob("*.tmp")), (releases, []))
        self.assertIn("this study asks for more than is left", self.text("plan", "study.toml"))
        self.break_file("study.toml", "epsilon = 1.0", "epsilon = 30.0")
        self.assert_nothing_spent(["plan", "study.toml"], 2, "more than the catalog has")

    def test_a_ledger_of_other_terms_is_refused(self):
        self.text("release", "study.toml")
        self.break_file("catalog.toml", "epsilon = 3.0", "epsilon = 30.0")
        self.assert_nothing_spent(["release", "study.toml", "--out", "again"], 2, "was begun with")

    def test_wrong_words(self):
        self.assert_refused(["release"], saying="the study is missing")
        self.assert_refused(["release", "study.toml", "--ouf", "x"], saying="did you mean --out?")
        self.assertIn("vernier release study.toml", self.text("release", "--help"))


class Interrupted(StudyTest):
    def test_the_budget_stays_spent_and_nothing_is_written(self):
        line = ",".join(["7", "north", "3", "12", "Aville"]) + "\n"
        self.file("people.csv", "id,region,educ,income,town\n" + line * 1_000_000)
        one = self.content("study.toml").split("[[statistic]]")[1]
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1.0, delta = 1e-7 }\n' + "".join(
            "[[statistic]]" + one.replace("Income by region", f"n{i}").replace("accuracy = { people = 50 }\n", "")
            for i in range(40)))
        before = set(os.listdir("."))
        with subprocess.Popen([PROGRAM, "release", "study.toml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            deadline = time.monotonic() + 60
            while not self.entries() and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            printed, told = process.communicate(timeout=60)
        self.assertEqual((process.returncode, printed), (1, ""))
        self.assertRegex(told, r"\Avernier: the run was stopped; the budget stays spent[^\n]*nothing was published\n\Z")
        written = {name for name in set(os.listdir(".")) - before if not name.startswith("catalog.ledger-")}
        self.assertEqual(written, {"catalog.ledger"})  # and SQLite's log of it
        self.assertEqual(len(self.entries()), 1)


if __name__ == "__main__":
    unittest.main()
