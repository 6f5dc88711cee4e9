"""Statistics over what each unit has in all, as a user asks for them. Usage: per_unit_test.py PROGRAM"""
import json
import random
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000
delta = 1e-3

[tables.visits]
source = "visits.csv"
unit = "person"
row_limit = 100000

[tables.visits.columns]
person = { type = "integer" }
ward   = { type = "string", keys = ["a", "b"] }
cost   = { type = "real", lower = 0, upper = 500 }
"""


class PerUnitTest(FolderTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        self.rows = [(draw.randrange(300), draw.choice("ab"), round(draw.uniform(0, 500), 2)) for _ in range(2000)]
        self.write(self.rows)
        self.file("catalog.toml", CATALOG)

    def write(self, rows):
        self.file("visits.csv", "person,ward,cost\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))

    def ask(self, sql, *words):
        return run("query", "--catalog", "catalog.toml", sql, "--epsilon", "1000", "--json", *words)

    def numbers(self, sql):
        done = self.ask(sql)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.file("release.json", done.stdout)
        verified = run("verify", "release.json")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return {name: cell["value"] for name, cell in json.loads(done.stdout)["statistics"][0]["rows"][0].items()}

    def totals(self):
        totals = {}
        for person, _, cost in self.rows:
            totals.setdefault(person, []).append(cost)
        return totals

    def test_means_are_over_units(self):
        totals = self.totals()
        found = self.numbers("SELECT AVG(CLAMP(total, 0, 3000)) AS total, AVG(CLAMP(n, 0, 20)) AS n, AVG(mean) AS mean FROM (SELECT "
                             "person, SUM(cost) AS total, COUNT(*) AS n, AVG(cost) AS mean FROM visits GROUP BY person) AS p")
        clamped = [min(sum(costs), 3000) for costs in totals.values()]
        self.assertAlmostEqual(found["total"], sum(clamped) / len(totals), delta=2)
        self.assertAlmostEqual(found["n"], 2000 / len(totals), delta=0.1)
        self.assertAlmostEqual(found["mean"], sum(sum(c) / len(c) for c in totals.values()) / len(totals), delta=1)

    def test_a_unit_counts_once_with_all_that_it_has(self):
        found = self.numbers("SELECT COUNT(*) AS n FROM (SELECT person, SUM(cost) AS total FROM visits GROUP BY person) AS p WHERE "
                             "total > 1500")
        self.assertAlmostEqual(found["n"], sum(sum(costs) > 1500 for costs in self.totals().values()), delta=1)

    def test_limits_of_rows_cost_nothing_where_each_unit_has_one(self):
        sql = "SELECT AVG(CLAMP(total, 0, 3000)) AS total FROM (SELECT person, SUM(cost) AS total FROM visits GROUP BY person) AS p"
        one, many = (json.loads(self.ask(sql, *words).stdout) for words in ((), ("--max-rows", "40", "--max-groups", "5")))
        self.assertEqual(*(record["statistics"][0]["releases"] for record in (one, many)))

    def test_the_order_of_rows_shows_in_nothing(self):
        """A sum of doubles in another order is another double."""
        counts = []
        for order in ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]):  # 0.6000000000000001 and 0.6 as doubles
            self.write([(i, "a", cost) for i in range(200) for cost in order])
            counts.append(round(self.numbers("SELECT COUNT(*) AS n FROM (SELECT person, SUM(cost) AS total FROM visits GROUP BY "
                                             "person) AS p WHERE total > 0.6")["n"], -2))
        self.assertEqual(counts[0], counts[1])

    def test_groups_without_the_unit_are_refused(self):
        done = self.ask("SELECT MIN(n) AS n FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) AS t")
        self.assertEqual(done.returncode, 2)
        self.assertIn("add person to its GROUP BY", done.stderr)

    def test_the_sql_of_other_engines_answers_it_too(self):
        self.file("catalog.toml", CATALOG + '\n[engine]\nkind = "duckdb"\nhash = "portable"\n')
        done = self.ask("SELECT COUNT(*) AS n FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) AS p")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["statistics"][0]["rows"][0]["n"]["value"], 300)


if __name__ == "__main__":
    unittest.main()
