"""COUNT(DISTINCT ...) as a user asks for it. Usage: distinct_test.py PROGRAM"""
import os
import unittest

from studies import StudyTest

CATALOG = """[budget]
epsilon = 1000.0
delta = 1e-6

[tables.visits]
source = "visits.csv"
unit = "who"
row_limit = 1000000

[tables.visits.columns]
who    = { type = "integer" }
ward   = { type = "string", keys = ["a", "b", "c"] }
clinic = { type = "string" }
day    = { type = "date" }
cost   = { type = "real", lower = 0, upper = 50, granularity = 1 }
"""
QUERY = ["query", "--catalog", "catalog.toml"]


def visits():
    """600 people with two visits each, in wards a and b; 12 days, 40 costs, of which the last are beyond the bound."""
    lines = ["who,ward,clinic,day,cost"]
    for i in range(600):
        for visit in range(2):
            clinic = "large" if i % 3 else "small" if i % 30 else "rare"
            lines.append(f"{i},{'ab'[(i + visit) % 2]},{clinic},2024-01-{1 + (i + 5 * visit) % 12:02},{(i + visit) % 80}.5")
    lines.append(",a,large,2024-02-01,7")
    return "\n".join(lines) + "\n"


class Distinct(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("visits.csv", visits())
        self.file("catalog.toml", CATALOG)

    def values(self, sql, *more, epsilon="100"):  # where noise is 0 all but once in 1e10 draws
        answer = self.json(*QUERY, sql, "--epsilon", epsilon, *more)
        return [{name: cell["value"] if isinstance(cell, dict) else cell for name, cell in row.items()}
                for row in answer["statistics"][0]["rows"]]

    def test_units_and_values_are_counted_once(self):
        rows = self.values("SELECT ward, COUNT(DISTINCT who) AS people, COUNT(DISTINCT day) AS days, COUNT(*) AS visits "
                           "FROM visits GROUP BY ward", "--max-groups", "2", "--max-rows", "2")
        self.assertEqual(rows, [{"ward": "a", "people": 600, "days": 6, "visits": 600},
                                {"ward": "b", "people": 600, "days": 6, "visits": 600},
                                {"ward": "c", "people": 0, "days": 0, "visits": 0}])

    def test_values_beyond_bounds_are_the_bound_and_one_person_brings_few(self):
        rows = self.values("SELECT COUNT(DISTINCT cost) AS costs, COUNT(DISTINCT who) AS people FROM visits", "--max-rows", "2")
        self.assertEqual(rows, [{"costs": 51, "people": 600}])  # 0.5 to 49.5, and 50
        rows = self.values("SELECT COUNT(DISTINCT who * 2 + CASE WHEN ward = 'a' THEN 1 ELSE 0 END) AS pairs FROM visits")
        self.assertEqual(rows, [{"pairs": 600}])  # of each person one of two

    def test_the_number_of_units_behind_private_keys_is_published(self):
        sql = ("SELECT clinic, COUNT(DISTINCT who) AS people, COUNT(DISTINCT who) AS again, COUNT(DISTINCT day) AS days "
               "FROM visits GROUP BY clinic")
        answer = self.json(*QUERY, sql, "--epsilon", "100", "--delta", "1e-9", "--max-rows", "2")
        releases = {release["column"]: release for release in answer["statistics"][0]["releases"]}
        self.assertEqual(set(releases), {"people", "days"})  # what is asked twice is measured once
        self.assertEqual((releases["people"]["sensitivity"], releases["days"]["sensitivity"]), (1, 2))
        rows = {row["clinic"]: row for row in answer["statistics"][0]["rows"]}
        self.assertEqual((rows["large"]["people"]["value"], rows["small"]["people"]["value"]), (400, 180))
        for name in ("value", "interval", "confidence"):
            self.assertEqual(rows["large"]["people"][name], rows["large"]["again"][name])

    def test_a_study_is_planned_released_and_verified(self):
        self.file("study.toml", """catalog = "catalog.toml"
budget = { epsilon = 2.0, delta = 1e-7 }
[[statistic]]
name = "by clinic"
sql = "SELECT clinic, COUNT(DISTINCT who) AS people, COUNT(DISTINCT day) AS days, COUNT(DISTINCT who) AS again FROM visits GROUP BY clinic"
accuracy = { days = 20 }
max_rows = 2
[[statistic]]
name = "by ward"
sql = "SELECT ward, COUNT(DISTINCT clinic) AS clinics, COUNT(DISTINCT who) AS people, AVG(cost) AS cost FROM visits GROUP BY ward"
max_groups = 2
""")
        plan = self.text("plan", "study.toml")
        self.assertIn("by clinic: again is made of published numbers, and costs nothing: people.", plan)
        self.assertRegex(plan, r"days +geometric .*± 20 ")
        self.text("release", "study.toml", "--out", "published")
        self.text("verify", os.path.join("published", "release.json"))
        self.text("ledger", "verify", "catalog.toml", "--release", os.path.join("published", "release.json"))

    def test_numbers_that_were_changed_are_found(self):
        self.text("release", self.study("SELECT ward, COUNT(DISTINCT day) AS days FROM visits GROUP BY ward"), "--out", "published")
        path = os.path.join("published", "release.json")
        text = self.content(path)
        self.file(path, text.replace('"kind":"distinct"', '"kind":"units"'))
        self.assert_refused(["verify", path], 1)

    def study(self, sql):
        self.file("study.toml", f'catalog = "catalog.toml"\nbudget = {{ epsilon = 2.0 }}\n[[statistic]]\nname = "s"\nsql = "{sql}"\n')
        return "study.toml"

    def test_what_cannot_be_counted_is_refused(self):
        for sql, saying in (("SELECT SUM(DISTINCT cost) AS s FROM visits", "DISTINCT"),
                            ("SELECT COUNT(DISTINCT) AS s FROM visits", ""),
                            ("SELECT COUNT(DISTINCT nobody) AS s FROM visits", "nobody")):
            with self.subTest(sql):
                self.assert_nothing_spent([*QUERY, sql, "--epsilon", "1"], 2, saying, lines=3)


if __name__ == "__main__":
    unittest.main()
