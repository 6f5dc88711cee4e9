"""Rows that are scaled down, values between the steps of a grid, and what intervals say of both. Usage: scaling_test.py PROGRAM"""
import json
import os
import unittest

from program import FolderTest

CATALOG = """[budget]
epsilon = 10000.0
delta = 1e-5

[tables.visits]
source = "visits.csv"
unit = "id"

[tables.visits.columns]
id    = { type = "integer" }
place = { type = "string", keys = ["a", "b", "c"] }
x     = { type = "integer", lower = 0, upper = 1 }

[tables.drawn]
source = "visits.csv"
unit = "id"
sampled = 0.5

[tables.drawn.columns]
id    = { type = "integer" }
place = { type = "string", keys = ["a", "b", "c"] }
x     = { type = "integer", lower = 0, upper = 1 }

[tables.rows]
source = "rows.csv"
unit = "row"

[tables.rows.columns]
small = { type = "real", lower = 0, upper = 1048576 }
tiny  = { type = "real", lower = 0, upper = 1 }
far   = { type = "integer", lower = 0, upper = 4194304 }
coarse = { type = "real", lower = 0, upper = 1048576, granularity = 1 }
"""
UNITS = 3000
ROWS = 20_000
SURE = ["--alpha", "1e-6"]  # of what noise may do to these tests


class Scaling(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("catalog.toml", CATALOG)
        rows = [f"{unit},{place},{x}" for unit in range(UNITS) for place, x in (("a", 1), ("b", 1), ("c", 0))]
        self.file("visits.csv", "id,place,x\n" + "\n".join(rows) + "\n")
        self.file("rows.csv", "small,tiny,far,coarse\n" + "0.4,0.0000001,2000003,0.4\n" * ROWS)

    def ask(self, sql, epsilon="1000"):
        return self.json("query", "--catalog", "catalog.toml", sql, "--epsilon", epsilon, *SURE)

    def row(self, sql, epsilon="1000"):
        return self.ask(sql, epsilon)["statistics"][0]["rows"][0]

    def assert_covers(self, number, exact, within):
        low, high = number["interval"]
        self.assertLessEqual(low, exact)
        self.assertGreaterEqual(high, exact)
        self.assertLess(abs(number["value"] - exact), within)

    def test_the_mean_of_a_units_values_stays_what_it_was(self):
        self.assert_covers(self.row("SELECT AVG(x) AS m FROM visits")["m"], 2 / 3, 0.001)
        share = "AVG(CASE WHEN x = 0 THEN 1 ELSE 0 END)"
        self.assert_covers(self.row(f"SELECT {share} AS m FROM visits")["m"], 1 / 3, 0.001)
        both = self.row("SELECT AVG(x) AS m, VARIANCE(x) AS v, STDDEV(x) AS d, SUM(x) AS s FROM visits")
        self.assert_covers(both["m"], 2 / 3, 0.001)
        self.assert_covers(both["v"], 2 / 9 * UNITS / (UNITS - 1), 0.001)
        self.assert_covers(both["d"], (2 / 9 * UNITS / (UNITS - 1)) ** 0.5, 0.001)
        self.assert_covers(both["s"], 2 / 3 * UNITS, 1)
        self.assert_covers(self.row("SELECT SUM(x) AS s FROM visits")["s"], 2 / 3 * UNITS, 1)

    def test_every_row_of_a_unit_is_as_likely_to_count_in_a_quantile(self):
        # A third of the rows are 0; were values drawn in place of rows, it would be a half.
        row = self.row("SELECT QUANTILE(x, 0.4) AS q, QUANTILE(x, 0.27) AS p FROM visits")
        self.assertEqual((row["q"]["value"], row["p"]["value"]), (1, 0))

    def test_sensitivity_and_noise_stay_what_they_were(self):
        release = self.ask("SELECT SUM(x) AS s FROM visits", "1")["statistics"][0]["releases"][0]
        self.assertEqual(release["sensitivity"] * release["granularity"], 1)
        self.assertAlmostEqual(release["scale"] * release["granularity"], 1, places=6)

    def test_a_population_of_units_is_that_of_what_counts(self):
        for sql in ("SELECT COUNT(*) AS n FROM drawn", "SELECT place, COUNT(*) AS n FROM drawn GROUP BY place",
                    "SELECT AVG(x) AS n FROM drawn"):
            self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1000.0, delta = 1e-7 }\nalpha = 1e-6\n'
                      f'[[statistic]]\nname = "s"\nsql = "{sql}"\ncovers = "population"\n')
            plan = self.text("plan", "study.toml")
            self.assertIn("Intervals are for what counts of the population", plan)
            self.text("release", "study.toml", "--out", "out")
            release = json.loads(self.content(os.path.join("out", "release.json")))
            for row in release["statistics"][0]["rows"]:
                self.assertEqual(row["n"]["covers"], "bounded-population")
            self.assertEqual(release["statistics"][0]["releases"][0]["covers"], "bounded-population")
            self.assertTrue(any("say nothing of rows and groups that do not count" in one for one in release["assumptions"]))
            self.assertIn("what counts of a population", self.content(os.path.join("out", "report.html")))
            self.text("verify", os.path.join("out", "release.json"))
            self.remove("out")
        self.assert_covers(release["statistics"][0]["rows"][0]["n"], 2 / 3, 0.1)

    def remove(self, folder):
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        os.rmdir(folder)

    def test_sums_of_small_values_are_not_lost_between_steps(self):
        answer = self.ask("SELECT SUM(small) AS s FROM rows", "9000")
        number = answer["statistics"][0]["rows"][0]["s"]
        self.assert_covers(number, 0.4 * ROWS, 2000)
        self.assertEqual(number["coverage"], "proven")
        self.assertTrue(any("'s' adds up values to the nearest multiple of" in one for one in answer["assumptions"]))
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1.0, delta = 0 }\n[[statistic]]\nname = "s"\n'
                  'sql = "SELECT SUM(small) AS s, AVG(coarse) AS m FROM rows"\n')
        self.assertIn("its interval allows for that", self.text("plan", "study.toml"))
        self.assertTrue(any("multiples of a declared granularity" in one for one in answer["assumptions"]))

    def test_sums_of_many_rows_that_all_lie_on_one_side_of_a_step(self):
        # In the steps of the noise, 1/64, each of these would count as 0; together they are beyond the margin.
        rows = 800_000
        self.file("rows.csv", "small,tiny,far,coarse\n" + "0.0078,0.0000001,1,1\n" * rows)
        for sql in ("SUM(small) AS s", "SUM(small) AS s, AVG(small) AS m", "SUM(small) AS s, VARIANCE(small) AS v"):
            number = self.row(f"SELECT {sql} FROM rows", "3000")["s"]
            self.assert_covers(number, 0.0078 * rows, 2 * rows if "VAR" in sql else 6000)

    def test_totals_of_units_keep_small_values(self):
        self.file("small.csv", "id,x\n" + "".join(f"{unit},0.4\n{unit},0.1\n" for unit in range(1000)))
        self.file("small.toml", CATALOG.split("[tables.visits]")[0] + '[tables.small]\nsource = "small.csv"\nunit = "id"\n'
                  '[tables.small.columns]\nid = { type = "integer" }\nx = { type = "real", lower = 0, upper = 1048576 }\n')
        totals = "(SELECT id, SUM(x) AS total, AVG(x) AS middle FROM small GROUP BY id)"
        sql = f"SELECT SUM(CLAMP(total, 0, 1)) AS s, AVG(CLAMP(middle, 0, 1)) AS m FROM {totals} AS t"
        row = self.json("query", "--catalog", "small.toml", sql, "--epsilon", "9000", *SURE)["statistics"][0]["rows"][0]
        self.assert_covers(row["s"], 500, 0.1)
        self.assert_covers(row["m"], 0.25, 0.001)

    def test_a_relation_of_values_between_steps_is_that_of_the_values(self):
        # Of two places one lies a third of a step beyond a step: what that makes of a slope is thirty times the noise.
        rows = [(0.25 + 2**-15 / 3, 0.25), (0.75, 0.75)] * 5000
        self.file("line.csv", "x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in rows))
        self.file("line.toml", CATALOG.split("[tables.visits]")[0] + '[tables.line]\nsource = "line.csv"\nunit = "row"\n'
                  '[tables.line.columns]\nx = { type = "real", lower = 0, upper = 1 }\ny = { type = "real", lower = 0, upper = 1 }\n')
        sql = "SELECT REGR_SLOPE(y, x) AS b, REGR_INTERCEPT(y, x) AS a, CORR(y, x) AS r, REGR_SXX(y, x) AS xx FROM line"
        row = self.json("query", "--catalog", "line.toml", sql, "--epsilon", "9999", *SURE)["statistics"][0]["rows"][0]
        mean, slope = sum(x for x, _ in rows) / len(rows), 0.5 / (rows[1][0] - rows[0][0])
        exact = {"b": slope, "a": 0.75 - slope * 0.75, "r": 1, "xx": sum((x - mean) ** 2 for x, _ in rows)}
        for name, number in exact.items():
            self.assert_covers(row[name], number, 1 if name != "xx" else 10)
            self.assertEqual(row[name]["coverage"], "proven")

    def test_intervals_allow_for_values_between_steps(self):
        row = self.row("SELECT MEDIAN(tiny) AS q, AVG(tiny) AS m, MAX(tiny) AS top FROM rows", "9000")
        self.assert_covers(row["q"], 1e-7, 1e-5)
        self.assert_covers(row["m"], 1e-7, 1e-5)
        self.assert_covers(row["top"], 1e-7, 1.0)

    def test_ranks_are_said_to_be_those_of_runs(self):
        answer = self.ask("SELECT MEDIAN(far) AS q FROM rows")
        release = answer["statistics"][0]["releases"][0]
        self.assertEqual(release["resolution"], 8)
        self.assert_covers(answer["statistics"][0]["rows"][0]["q"], 2000003, release["resolution"])
        self.assertTrue(any("its ranks are those of such runs of values" in one for one in answer["assumptions"]))
        columns = ", ".join(f"QUANTILE(far, 0.{i}) AS q{i}" for i in range(1, 6))
        for one in self.ask(f"SELECT {columns} FROM rows")["statistics"][0]["releases"]:
            self.assertEqual(one["resolution"], 8)


if __name__ == "__main__":
    unittest.main()
