"""`vernier bounds` as a user runs it. Usage: bounds_test.py PROGRAM"""
import json
import unittest

from program import run
from studies import StudyTest

OPEN = """[budget]
epsilon = 1000.0
delta = 1e-6

[tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000

[tables.people.columns]
id     = { type = "integer" }
income = { type = "real" }
year   = { type = "integer" }
day    = { type = "date" }
tiny   = { type = "real" }
rare   = { type = "integer" }
none   = { type = "integer" }
wild   = { type = "real" }
name   = { type = "string" }

[tables.rows]
source = "people.csv"
unit = "row"
row_limit = 1000000

[tables.rows.columns]
id     = { type = "integer" }
income = { type = "real", lower = 0, upper = 1000000 }
year   = { type = "integer", lower = 1000, upper = 5000 }
day    = { type = "date", lower = 2000-01-01, upper = 2029-12-31 }
tiny   = { type = "real" }
rare   = { type = "integer" }
none   = { type = "integer" }
wild   = { type = "real" }
name   = { type = "string" }
"""


def table(persons=4000):
    """Incomes from 0 to 47,988; years 1990 to 2023; days of 2024 and 2025; one value beyond what a bound can be; cells that
    hold none."""
    lines = ["id,income,year,day,tiny,rare,none,wild,name"]
    for i in range(persons):
        day = f"{2024 + i % 2}-{1 + i % 12:02}-{1 + i % 28:02}"
        lines.append(f"{i},{(i % 4000) * 12},{1990 + i % 34},{day},-0.00{1 + i % 3},{7 if i < 3 else ''},x,{i % 10},a")
    lines += [f"{persons},inf,x,2024-13-01,nan,,,9e100,b", f"{persons + 1},,,,,,,,b"]
    return "\n".join(lines) + "\n"


class Bounds(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("people.csv", table())
        self.file("catalog.toml", OPEN)

    def found(self, column, epsilon="20", *more):  # where noise is 0 all but once in 1e8 draws
        return self.json("bounds", "catalog.toml", column, "--epsilon", epsilon, *more)

    def test_bounds_are_numbers_that_people_write(self):
        found = self.found("people.income")
        self.assertEqual((found["lower"], found["upper"]), (0, 50000))
        self.assertEqual(found["line"], 'income = { type = "real", lower = 0, upper = 50000 }')
        self.assertLessEqual(found["share_outside_at_most"], 0.01)
        self.assertLessEqual(found["values_at_least"], 4000)
        self.assertGreaterEqual(found["values_at_most"], 4000)
        self.assertEqual((found["confidence"], found["found"]), (0.95, True))

    def test_what_is_outside_is_counted(self):
        found = self.found("people.wild")
        self.assertEqual((found["lower"], found["upper"]), (0, 1000000000000))
        self.assertGreaterEqual(found["above_at_most"], 1)
        self.assertGreaterEqual(found["share_outside_at_most"], 1 / 4001)

    def test_dates_and_fractions(self):
        found = self.found("people.day")
        self.assertEqual((found["lower"], found["upper"]), ("2020-01-01", "2029-12-31"))
        found = self.found("people.tiny")
        self.assertEqual((found["lower"], found["upper"]), (-0.00390625, -0.0009765625))

    def test_declared_bounds_are_searched_within(self):
        found = self.found("rows.year")
        self.assertEqual((found["lower"], found["upper"]), (1900, 2100))
        self.file("catalog.toml", OPEN.replace("lower = 1000, upper = 5000", "lower = 1900, upper = 2100"))
        found = self.found("rows.year")
        self.assertEqual((found["lower"], found["upper"]), (1985, 2025))
        found = self.found("rows.day")
        self.assertEqual((found["lower"], found["upper"]), ("2024-01-01", "2025-12-31"))

    def test_what_lies_beyond_declared_bounds_is_counted_before_it_is_moved(self):
        self.file("catalog.toml", OPEN.replace("lower = 0, upper = 1000000", "lower = 0, upper = 12000"))
        found = self.found("rows.income")
        self.assertGreaterEqual(found["above_at_most"], 2999)  # of 4,000 from 0 to 47,988
        self.assertGreaterEqual(found["share_outside_at_most"], 0.749)
        self.assertEqual((found["upper"], found["line"]), (12000, None))
        text = self.text("bounds", "catalog.toml", "rows.income", "--epsilon", "20")
        self.assertIn("no line is recommended, since more than half of the values may lie outside", text)
        self.assertRegex(text, "outside lie at most 7[5-9]")
        self.file("catalog.toml", OPEN.replace("2000-01-01, upper = 2029-12-31", "2025-01-01, upper = 2029-12-31"))
        self.assertGreaterEqual(self.found("rows.day")["below_at_most"], 1990)

    def test_reals_that_count_in_columns_with_bounds_alone_lie_outside(self):
        """A 1e200 counts as the bound where there is one, and is NULL where there is none."""
        self.file("people.csv", "id,income,year,day,tiny,rare,none,wild,name\n"
                  + "".join(f"{i},{'1e200' if i % 2 else i % 100},,,,,,{'-1e200' if i % 2 else i % 100},\n"
                            for i in range(4000)))
        for column, side in (("rows.income", "above_at_most"), ("rows.wild", "below_at_most")):
            found = self.found(column)
            self.assertGreaterEqual(found[side], 1999)
            self.assertGreaterEqual(found["share_outside_at_most"], 0.499)

    def test_no_bounds_are_recommended_outside_of_which_all_values_lie(self):
        self.file("people.csv", "id,income,year,day,tiny,rare,none,wild,name\n"
                  + "".join(f"{i},,{10**16 + i},,,,,,\n" for i in range(4000)))
        found = self.found("people.year")
        self.assertGreaterEqual(found["above_at_most"], 3999)
        self.assertEqual((found["share_outside_at_most"], found["line"]), (1, None))

    def test_the_line_is_one_that_the_catalog_takes(self):
        for column in ("income", "year", "day", "tiny"):
            line = self.found(f"people.{column}")["line"]
            before = next(one for one in OPEN.split("\n") if one.startswith(column))
            self.file("catalog.toml", OPEN.replace(before, line, 1))
            self.text("catalog", "check", "catalog.toml")
            self.file("catalog.toml", OPEN)

    def test_too_few_values_are_told_apart_from_none_by_nobody(self):
        for column in ("people.rare", "people.none"):
            found = self.found(column, "0.1", "--alpha", "1e-9")
            self.assertEqual((found["found"], found["lower"], found["line"]), (False, None, None))
            self.assertGreaterEqual(found["values_at_most"], 3)
        text = self.text("bounds", "catalog.toml", "people.none", "--epsilon", "0.1", "--alpha", "1e-9")
        self.assertIn("no bounds found for people.none", text)

    def test_the_text_says_what_to_write_and_what_it_means(self):
        text = self.text("bounds", "catalog.toml", "people.income", "--epsilon", "20")
        self.assertIn("people.income from 0 to 50,000\n\n  income = { type", text)
        self.assertIn("nothing was changed", text)
        self.assertRegex(text, r"outside lie at most [\d.]+ % of the units")
        self.assertIn("probability 95 %", text)
        self.assertIn("entry 2 of the ledger", text)
        self.assertEqual(self.content("catalog.toml"), OPEN)

    def test_it_is_charged_once_for_a_request_and_stands_in_the_history(self):
        first = self.found("people.income", "0.5", "--request", "r1", "--analyst", "anna")
        again = self.found("people.income", "0.5", "--request", "r1", "--analyst", "anna")
        self.assertEqual(first, again)
        self.assertEqual(len(self.entries()), 1)
        self.assertIn("bounds of people.income", self.text("ledger", "history", "catalog.toml"))
        self.text("ledger", "verify", "catalog.toml")

    def test_what_it_was_made_from_can_be_verified(self):
        found = self.found("people.income", "0.5", "--out", "published")
        release = self.release("published")
        noisy = [row["noisy"] if "noisy" in row else None for row in release["statistics"][0]["rows"]]
        self.assertEqual(len(noisy), len(found["buckets"]))
        self.assertEqual(release["release"], found["release"])
        self.assertEqual(json.loads(self.content("published/bounds.json")), found)
        self.text("verify", "published/release.json")

    def test_units_with_many_rows_may_count_more_than_once(self):
        found = self.found("people.income", "20", "--max-groups", "2", "--max-rows", "3")
        self.assertEqual(found["found"], True)
        self.assertIn("at most 3 in each of at most 2 buckets", self.text(
            "bounds", "catalog.toml", "people.income", "--epsilon", "1", "--max-groups", "2", "--max-rows", "3"))

    def test_what_is_wrong_is_said_before_anything_is_spent(self):
        words = ["bounds", "catalog.toml", "people.income", "--epsilon", "1"]
        for changed, saying in (
                (["bounds"], "the catalog is missing"),
                (["bounds", "catalog.toml"], "the column is missing"),
                (words[:3], "--epsilon is missing"),
                (["bounds", "catalog.toml", "income", *words[3:]], "people.income"),
                (["bounds", "catalog.toml", "peple.income", *words[3:]], "did you mean people?"),
                (["bounds", "catalog.toml", "people.incone", *words[3:]], "did you mean income?"),
                (["bounds", "catalog.toml", "people.name", *words[3:]], "is of type string"),
                ([*words[:4], "0"], "epsilon"),
                ([*words, "--alpha", "1.5"], "alpha"),
                ([*words, "--max-rows", "0"], "--max-rows must be from 1"),
                ([*words[:4], "5000"], "more than the catalog has")):
            with self.subTest(saying):
                self.assert_nothing_spent(changed, 2, saying)
        self.assert_nothing_spent(["bounds", "none.toml", *words[2:]], 1, "none.toml")
        self.assertIn("vernier bounds catalog.toml people.income", run("bounds", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
