"""Slopes, correlations and covariances as a user asks for them. Usage: relation_test.py PROGRAM"""
import math
import os
import random
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 1000.0
delta = 1e-5

[tables.people]
source = "people.csv"
unit = "row"
row_limit = 100000
columns = { region = { type = "string", keys = ["north", "south", "west"] }, educ = { type = "integer", lower = 0, upper = 16, never_null = true }, income = { type = "integer", lower = 0, upper = 200, never_null = true }, rent = { type = "integer", lower = 0, upper = 50 }, same = { type = "integer", lower = 0, upper = 9 } }

[tables.visits]
source = "visits.csv"
unit = "id"
row_limit = 100000
columns = { id = { type = "integer" }, x = { type = "integer", lower = 0, upper = 10 }, y = { type = "real", lower = -1.0, upper = 1.0, granularity = 0.125 } }
"""
QUERY = ["query", "--catalog", "catalog.toml"]
RELATIONS = {"slope": "REGR_SLOPE", "start": "REGR_INTERCEPT", "n": "REGR_COUNT", "x": "REGR_AVGX", "y": "REGR_AVGY",
             "xx": "REGR_SXX", "yy": "REGR_SYY", "xy": "REGR_SXY", "r2": "REGR_R2", "r": "CORR", "cs": "COVAR_SAMP",
             "cp": "COVAR_POP"}


def rows(count=3000):
    chance = random.Random(7)
    made = []
    for _ in range(count):
        educ = chance.randint(0, 16)
        income = min(200, max(0, round(40 + 5 * educ + chance.gauss(0, 25))))
        made.append((chance.choice(["north", "south"]), educ, income, chance.randint(0, 50)))
    return made


def true_relations(pairs):
    n = len(pairs)
    x, y = sum(p[0] for p in pairs) / n, sum(p[1] for p in pairs) / n
    xx, yy = sum((p[0] - x) ** 2 for p in pairs), sum((p[1] - y) ** 2 for p in pairs)
    xy = sum((p[0] - x) * (p[1] - y) for p in pairs)
    r = xy / math.sqrt(xx * yy)
    return {"slope": xy / xx, "start": y - xy / xx * x, "n": n, "x": x, "y": y, "xx": xx, "yy": yy, "xy": xy,
            "r2": r * r, "r": r, "cs": xy / (n - 1), "cp": xy / n}


class Relation(FolderTest):
    def setUp(self):
        super().setUp()
        self.rows = rows()
        lines = [f"{region},{educ},{income},{rent if rent else ''},5" for region, educ, income, rent in self.rows]
        self.file("people.csv", "region,educ,income,rent,same\n" + "\n".join(lines) + "\n")
        visits = [f"{i % 700},{i % 11},{(i % 17 - 8) / 8}" for i in range(2100)] + ["3,10,1"] * 500
        self.file("visits.csv", "id,x,y\n" + "\n".join(visits) + "\n")
        self.file("catalog.toml", CATALOG)

    def numbers(self, columns, rest="", *options):
        answer = self.json(*QUERY, f"SELECT {columns} FROM people{rest}", *(options or ("--epsilon", "20")))
        return answer["statistics"][0]

    def test_all_relations_hold_what_is_true(self):
        columns = ", ".join(f"{sql}(income, educ) AS {name}" for name, sql in RELATIONS.items())
        statistic = self.numbers("region, " + columns, " GROUP BY region", "--epsilon", "20", "--alpha", "1e-9")
        for row in statistic["rows"][:2]:
            truth = true_relations([(r[1], r[2]) for r in self.rows if r[0] == row["region"]])
            for name, value in truth.items():
                low, high = row[name]["interval"]
                self.assertTrue(low <= value <= high, (row["region"], name, row[name], value))
                self.assertTrue(low <= row[name]["value"] <= high, (name, row[name]))
                self.assertTrue(row[name].get("informative", True), name)
        nobody = statistic["rows"][2]
        for name in ("slope", "start", "r", "cs"):
            self.assertFalse(nobody[name]["informative"], (name, nobody[name]))
            self.assertTrue(nobody[name]["may_be_empty"], name)
        self.assertLessEqual(nobody["r"]["interval"][1], 1)
        self.assertGreaterEqual(nobody["r"]["interval"][0], -1)

    def of_population(self, columns, *options):
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 20 }\nalpha = 1e-6\n[[statistic]]\n'
                  f'name = "lines"\nsql = "SELECT {columns} FROM people"\ncovers = "population"\n')
        answer = self.json("release", "study.toml", "--out", "out", *options)
        self.assertEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)
        return answer["statistics"][0]

    def test_a_population_has_covariances_and_correlations_from_one_measurement(self):
        found = self.of_population("COVAR_SAMP(income, educ) AS cs, COVAR_POP(income, educ) AS cp, CORR(income, educ) AS r, "
                                   "REGR_R2(income, educ) AS r2, REGR_SLOPE(income, educ) AS slope")
        shared = [one.get("shared_with") for one in found["releases"]]
        self.assertEqual(shared[:4], [None, "cs", "cs", "cs"])
        self.assertIsNone(shared[4])  # has sums of its own
        row = found["rows"][0]
        truth = true_relations([(r[1], r[2]) for r in self.rows])
        for name in ("cs", "cp", "r", "r2", "slope"):
            low, high = row[name]["interval"]
            self.assertEqual((row[name]["covers"], row[name]["coverage"]), ("population", "tested"), name)
            self.assertTrue(low <= row[name]["value"] <= high, row[name])
            self.assertTrue(low <= truth[name] <= high, (row[name], truth[name]))
            self.assertTrue(row[name].get("informative", True), row[name])
        of_rows = self.numbers("COVAR_SAMP(income, educ) AS cs", "", "--epsilon", "20")["rows"][0]["cs"]["interval"]
        self.assertGreater(row["cs"]["interval"][1] - row["cs"]["interval"][0], 2 * (of_rows[1] - of_rows[0]))

    def test_what_no_population_has_is_refused(self):
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = "lines"\n'
                  'sql = "SELECT REGR_INTERCEPT(income, educ) AS a FROM people"\ncovers = "population"\n')
        self.assertIn("REGR_SLOPE, CORR, REGR_R2 and COVAR_SAMP alone tell", run("plan", "study.toml").stderr)

    def test_slopes_of_a_population_allow_for_values_between_steps(self):
        self.file("visits.csv", "id,x,y\n" + "".join(f"{i},{i % 11},{(i % 17 - 8) / 8}\n" for i in range(3000)))
        said = 'type = "real", lower = -1.0, upper = 1.0, granularity = 0.125'
        widths = []
        for column in (said, said.replace(", granularity = 0.125", "")):
            self.file("catalog.toml", CATALOG.replace(said, column))
            self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 50 }\n[[statistic]]\nname = "lines"\n'
                      'sql = "SELECT REGR_SLOPE(y, x) AS slope FROM visits"\ncovers = "population"\n')
            plan = self.text("plan", "study.toml")
            (self.assertNotIn if column == said else self.assertIn)("intervals allow for it", plan)
            low, high = self.json("release", "study.toml", "--out", f"out{len(widths)}")["statistics"][0]["rows"][0]["slope"]["interval"]
            widths.append(high - low)
        self.assertLess(widths[1], 2 * widths[0])

    def test_pairs_with_one_y_are_told_apart_by_their_x(self):
        row = self.numbers("CORR(income, educ) AS a, CORR(income, rent) AS b, CORR(income, educ) - CORR(income, rent) AS d")["rows"][0]
        with_rent = [(r[3], r[2]) for r in self.rows if r[3]]
        truth = {"a": true_relations([(r[1], r[2]) for r in self.rows])["r"], "b": true_relations(with_rent)["r"]}
        truth["d"] = truth["a"] - truth["b"]
        self.assertGreater(truth["d"], 0.3)
        for name, value in truth.items():
            low, high = row[name]["interval"]
            self.assertTrue(low <= value <= high, (name, row[name], value))

    def test_one_measurement_serves_all_and_the_rows_and_means_beside(self):
        columns = ("REGR_SLOPE(income, educ) AS slope, CORR(income, educ) AS r, COUNT(*) AS n, AVG(educ) AS m, "
                   "VARIANCE(income) AS v, STDDEV(educ) AS s")
        statistic = self.numbers(columns, "", "--epsilon", "1")
        self.assertEqual([one.get("shared_with") for one in statistic["releases"]], [None] + ["slope"] * 5)
        apart = self.numbers("REGR_SLOPE(income, educ) AS slope", "", "--epsilon", "1")
        self.assertEqual(apart["releases"][0]["scale"], statistic["releases"][0]["scale"])
        row = statistic["rows"][0]
        self.assertAlmostEqual(row["n"]["value"], len(self.rows), delta=60)
        self.assertAlmostEqual(row["s"]["value"], 4.9, delta=0.3)

    def test_what_may_be_null_shares_nothing_with_the_rows(self):
        statistic = self.numbers("CORR(income, rent) AS r, COUNT(*) AS n, AVG(rent) AS m, REGR_COUNT(income, rent) AS k")
        self.assertEqual([one.get("shared_with") for one in statistic["releases"]], [None, None, None, "r"])
        row = statistic["rows"][0]
        self.assertAlmostEqual(row["k"]["value"], sum(1 for r in self.rows if r[3]), delta=10)
        self.assertAlmostEqual(row["n"]["value"], len(self.rows), delta=10)

    def test_where_there_is_no_line_nothing_fails(self):
        for columns, rest in (("REGR_SLOPE(income, same) AS a, CORR(income, same) AS b", ""),
                              ("REGR_SLOPE(income, educ) AS a, CORR(income, educ) AS b", " WHERE income < 0"),
                              ("REGR_INTERCEPT(income, educ) AS a, REGR_R2(income, educ) AS b", " WHERE income < 1")):
            with self.subTest(columns=columns, rest=rest):
                row = self.numbers(columns, rest, "--epsilon", "1")["rows"][0]
                for name in ("a", "b"):
                    self.assertFalse(row[name]["informative"], row[name])
                    low, high = row[name]["interval"]
                    self.assertTrue(low <= row[name]["value"] <= high)
        self.assertIn("no information", self.text(*QUERY, "SELECT REGR_SLOPE(income, same) AS a FROM people",
                                                  "--epsilon", "1"))

    def test_a_target_is_met_by_the_plan(self):
        statistic = self.numbers("REGR_SLOPE(income, educ) AS slope", "", "--accuracy", "slope=2")
        self.assertLessEqual(statistic["releases"][0]["accuracy"], 2)

    def test_units_with_many_rows_count_in_part_and_verify_agrees(self):
        self.file("study.toml", 'catalog = "catalog.toml"\nbudget = { epsilon = 30, delta = 1e-7 }\n[[statistic]]\n'
                  'name = "visits"\nsql = "SELECT REGR_SLOPE(y, x) AS slope, CORR(y, x) AS r, REGR_COUNT(y, x) AS n '
                  'FROM visits"\nmax_rows = 3\n')
        plan = self.text("plan", "study.toml")
        self.assertRegex(plan, r"r +\S+ +\S+ +about ± \S+ +shared with slope")
        self.assertIn("of relations, if x and y have standard deviations of a quarter of their ranges", plan)
        self.text("release", "study.toml", "--out", "out")
        self.assertEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)
        row = [line.split(",") for line in self.content("out/visits.csv").splitlines()][1]
        self.assertAlmostEqual(float(row[6]), 2100, delta=20)  # unit 3 has 503 rows, of which 3 count
        self.break_file("out/release.json", '"slope":{"value":', '"slope":{"value":1')  # signed again: relation_record_test
        self.assertNotEqual(run("verify", os.path.join("out", "release.json")).returncode, 0)

    def test_the_noise_may_be_gaussian_and_neighbours_replaced(self):
        for table in ("people", "visits"):
            self.break_file("catalog.toml", f'source = "{table}.csv"', f'source = "{table}.csv"\nneighbours = "replace"')
        columns = ", ".join(f"SUM(CASE WHEN educ = {i} THEN income ELSE 0 END) AS s{i}" for i in range(16))
        answer = self.json(*QUERY, f"SELECT CORR(income, educ) AS r, {columns} FROM people", "--epsilon", "1",
                           "--delta", "1e-6")
        one = answer["statistics"][0]["releases"][0]
        self.assertEqual(one["mechanism"], "discrete-gaussian")
        row = answer["statistics"][0]["rows"][0]
        self.assertTrue(-1 <= row["r"]["interval"][0] <= row["r"]["value"] <= row["r"]["interval"][1] <= 1)

    def break_file(self, name, old, new):
        text = self.content(name)
        self.assertIn(old, text)
        self.file(name, text.replace(old, new, 1))


if __name__ == "__main__":
    unittest.main()
