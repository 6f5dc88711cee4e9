"""Joins with public tables, named expressions and views, as a user runs them. Usage: join_test.py PROGRAM"""
import hashlib
import json
import os
import unittest

from program import run
from studies import CATALOG, StudyTest

REGIONS = "region,country,area\nnorth,A,10.5\nsouth,B,20\neast,B,1\n"

MORE = """
[tables.people.expressions]
graduate = "educ >= 12"
monthly = { sql = "income / 12", lower = 0, upper = 50 }

[tables.regions]
source = "regions.csv"
public = true

[tables.regions.columns]
region  = { type = "string" }
country = { type = "string", keys = ["A", "B", "C"] }
area    = { type = "real", lower = 0, upper = 100, granularity = 0.5 }

[views.graduates]
table = "people"
where = "graduate AND income > 0"
"""


def query(sql, *words):
    return ["query", "--catalog", "catalog.toml", sql, "--epsilon", "1", *words]


COUNT = "SELECT country, COUNT(*) AS people FROM people JOIN regions USING (region) GROUP BY country"


class JoinTest(StudyTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG + MORE)
        self.file("regions.csv", REGIONS)

    def rows(self, sql):
        return self.json(*query(sql))["statistics"][0]["rows"]


class Join(JoinTest):
    def test_rows_are_counted_by_what_was_looked_up(self):
        rows = {row["country"]: row["people"]["value"] for row in self.rows(COUNT)}
        self.assertEqual(list(rows), ["A", "B", "C"])
        self.assertAlmostEqual(rows["A"], 1501, delta=40)
        self.assertAlmostEqual(rows["B"], 500, delta=40)
        self.assertAlmostEqual(rows["C"], 0, delta=40)

    def test_a_left_join_keeps_everybody(self):
        left = self.rows("SELECT COUNT(*) AS n, SUM(area) AS area FROM people LEFT JOIN regions USING (region)")[0]
        inner = self.rows("SELECT COUNT(*) AS n FROM people JOIN regions USING (region) WHERE area < 15")[0]
        self.assertAlmostEqual(left["n"]["value"], 2002, delta=40)
        self.assertAlmostEqual(inner["n"]["value"], 1501, delta=40)
        self.assertAlmostEqual(left["area"]["value"], 1501 * 10.5 + 500 * 20, delta=4000)

    def test_the_release_names_the_public_file_and_can_be_verified(self):
        answer = self.text(*query(COUNT), "--json")
        release = json.loads(answer)
        found = hashlib.sha256(REGIONS.encode()).hexdigest()
        self.assertEqual(release["certificate"]["public_files"], [{"table": "regions", "sha256": found}])
        self.assertIn(f"The SHA-256 of its file is {found}.", release["assumptions"][-1])
        self.file("release.json", answer)
        self.assertIn("assumptions", self.text("verify", "release.json"))
        self.file("release.json", answer.replace(found, "0" * 64))
        self.assertEqual(run("verify", "release.json").returncode, 1)

    def test_the_plan_needs_no_file(self):
        os.remove("regions.csv")
        os.remove("people.csv")
        self.file("study.toml", f'catalog = "catalog.toml"\n[[statistic]]\nname = "n"\nsql = "{COUNT}"\naccuracy = {{ people = 50 }}\n')
        self.assertIn("people", self.text("plan", "study.toml"))

    def test_repeated_keys_cost_nothing(self):
        self.file("regions.csv", REGIONS + "north,C,1\n")
        self.assert_nothing_spent(query(COUNT), 2, "the public table 'regions' has several rows with region = 'north'")

    def test_a_missing_public_file_costs_nothing(self):
        os.remove("regions.csv")
        self.assert_nothing_spent(query(COUNT), 1, "regions.csv' is not there")

    def test_a_public_column_of_another_type_is_nothing_to_join_by(self):
        self.break_file("catalog.toml", 'region  = { type = "string" }', 'region  = { type = "integer" }')
        self.assert_nothing_spent(query(COUNT), 2, "is of type string in 'people' and of type integer in 'regions'", 3)

    def test_other_joins_are_refused_before_anything_is_spent(self):
        for join, saying in ((", regions", "multiply rows"), ("JOIN people AS p ON people.region = p.region", "of one unit"),
                             ("FULL JOIN regions USING (region)", "LEFT JOIN")):
            self.assert_nothing_spent(query(f"SELECT COUNT(*) AS n FROM people {join}"), 2, saying, 3)

    def test_nothing_of_a_protected_table_is_read_as_public(self):
        self.break_file("catalog.toml", 'source = "regions.csv"', 'source = "people.csv"')
        self.assert_nothing_spent(query(COUNT), 2, "is public and has the file of the protected table 'people'")


class Named(JoinTest):
    def test_names_are_used_like_columns_and_tables(self):
        answer = self.json(*query("SELECT graduate, COUNT(*) AS n, AVG(monthly) AS m FROM people GROUP BY graduate"))
        rows = answer["statistics"][0]["rows"]
        self.assertEqual([row["graduate"] for row in rows], [False, True])
        asked = answer["certificate"]["statistics"][0]["engine"]
        self.assertIn('("educ" >= 12)', asked["statement"])
        self.assertIn('CLAMP(("income" / 12e0), 0e0, 50e0)', [one["expression"] for one in asked["arguments"]])
        whole = self.rows("SELECT COUNT(*) AS n FROM people WHERE educ >= 12 AND income > 0")[0]["n"]["value"]
        part = self.rows("SELECT COUNT(*) AS n FROM graduates")[0]["n"]["value"]
        self.assertAlmostEqual(whole, part, delta=60)

    def test_check_tells_what_names_mean(self):
        text = self.text("catalog", "check", "catalog.toml")
        self.assertRegex(text, r'(?m)^monthly +real +0 +50 +CLAMP\(')
        self.assertRegex(text, r'(?m)^graduates +people +\(\("educ" >= 12\) AND \("income" > 0e0\)\)$')
        self.assertRegex(text, r"(?m)^public +yes")
        answer = self.json("catalog", "check", "catalog.toml")
        self.assertEqual([table["public"] for table in answer["tables"]], [False, True])
        self.assertNotIn("unit", answer["tables"][1])
        self.assertEqual(answer["tables"][0]["expressions"][0],
                         {"name": "graduate", "type": "boolean", "lower": None, "upper": None, "sql": '("educ" >= 12)'})
        self.assertEqual(answer["views"][0]["table"], "people")

    def test_check_tells_where_names_mean_nothing(self):
        self.break_file("catalog.toml", '"educ >= 12"', '"eduk >= 12"')
        done = run("catalog", "check", "catalog.toml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("catalog.toml:18:12: the expression 'graduate': the table people has no column \"eduk\"", done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 2, "the view that uses it as well")
        before = self.files()
        refused = run(*query("SELECT COUNT(*) AS n FROM people"))
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertEqual(len(refused.stderr.splitlines()), 2, "both problems at once")
        self.assertIn("the expression 'graduate'", refused.stderr)
        self.assertEqual(self.files(), before, "nothing is spent")


if __name__ == "__main__":
    unittest.main()
