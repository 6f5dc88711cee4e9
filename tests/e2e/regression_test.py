"""Regressions on several columns as a user asks for them. Usage: regression_test.py PROGRAM"""
import csv
import math
import random
import re
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000.0
delta = 1e-4

[tables.people]
source = "people.csv"
unit = "row"
row_limit = 100000
columns = { region = { type = "string", keys = ["north", "south", "west"] }, a = { type = "integer", lower = 0, upper = 20 }, b = { type = "integer", lower = -5, upper = 5 }, c = { type = "real", lower = 0, upper = 1, granularity = 0.0078125 }, d = { type = "integer", lower = 0, upper = 3 }, e = { type = "integer", lower = 0, upper = 7 }, y = { type = "integer", lower = 0, upper = 200 } }

[tables.visits]
source = "visits.csv"
unit = "id"
row_limit = 100000
columns = { id = { type = "integer" }, a = { type = "integer", lower = 0, upper = 10 }, b = { type = "integer", lower = 0, upper = 4 }, y = { type = "integer", lower = 0, upper = 100 } }
"""
HEAD = 'catalog = "catalog.toml"\nbudget = { epsilon = 200, delta = 1e-7 }\nalpha = 1e-9\n'


def rows(count=4000):
    chance = random.Random(11)
    made = []
    for _ in range(count):
        a, b, c, d, e = (chance.randint(0, 20), chance.randint(-5, 5), chance.randint(0, 128) / 128,
                         chance.randint(0, 3), chance.randint(0, 7))
        y = min(200, max(0, round(40 + 3 * a - 4 * b + 30 * c + 2 * d - e + chance.gauss(0, 10))))
        made.append({"region": chance.choice(["north", "south"]), "a": a, "b": b, "c": c, "d": d, "e": e, "y": y})
    return made


def least_squares(found, names):
    """Coefficients with the intercept first, deviation of the residuals, R squared."""
    columns = [[1.0] * len(found)] + [[float(row[name]) for row in found] for name in names]
    y = [float(row["y"]) for row in found]
    size = len(columns)
    system = [[sum(p * q for p, q in zip(columns[i], columns[j])) for j in range(size)]
              + [sum(p * q for p, q in zip(columns[i], y))] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(system[row][i]))
        system[i], system[pivot] = system[pivot], system[i]
        for j in range(size):
            if j != i:
                factor = system[j][i] / system[i][i]
                system[j] = [left - factor * right for left, right in zip(system[j], system[i])]
    beta = [system[i][size] / system[i][i] for i in range(size)]
    residuals = [value - sum(b * column[i] for b, column in zip(beta, columns)) for i, value in enumerate(y)]
    squares, mean = sum(r * r for r in residuals), sum(y) / len(y)
    return beta + [math.sqrt(squares / (len(y) - size)), 1 - squares / sum((v - mean) ** 2 for v in y)]


class Regression(FolderTest):
    def setUp(self):
        super().setUp()
        self.rows = rows()
        names = ["region", "a", "b", "c", "d", "e", "y"]
        lines = [",".join(str(row[name]) for name in names) for row in self.rows]
        self.file("people.csv", ",".join(names) + "\n" + "\n".join(lines) + "\n,1,,0.5,1,1,7\n")
        visits = [f"{i % 900},{i % 11},{i // 11 % 5},{i % 11 * 5 + i // 11 % 5 * 3}" for i in range(2700)]
        self.file("visits.csv", "id,a,b,y\n" + "\n".join(visits + ["3,10,0,90"] * 400) + "\n")
        self.file("catalog.toml", CATALOG)

    def study(self, text, head=HEAD):
        return self.file("study.toml", head + "[[regression]]\n" + text)

    def released(self, text, head=HEAD, name="lines", folder="out"):
        self.study(text, head)
        self.text("release", "study.toml", "--out", folder)
        done = run("verify", folder)
        self.assertEqual(done.returncode, 0, done)
        with open(f"{folder}/{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def assert_holds(self, found, truth, informative=True):
        for row, value in zip(found, truth, strict=True):
            self.assertTrue(float(row["low"]) <= value <= float(row["high"]), (row, value))
            self.assertTrue(float(row["low"]) <= float(row["value"]) <= float(row["high"]), row)
            self.assertEqual(row["informative"], "true" if informative else "false", row)

    def test_every_number_of_columns_holds_what_is_true(self):
        for i, names in enumerate((["a"], ["b", "a"], ["a", "b", "c"], ["a", "b", "c", "d"], ["e", "d", "c", "b", "a"])):
            with self.subTest(names=names):
                found = self.released(f'name = "lines {i}"\nfrom = "people"\ny = "y"\nx = {names}\n', HEAD,
                                      f"lines-{i}", f"out{i}")
                self.assertEqual([row["coefficient"] for row in found],
                                 ["intercept", *names, "residual_deviation", "r_squared"])
                whole = self.rows + ([{"a": 1, "y": 7}] if "b" not in names else [])  # the last row has no b
                self.assert_holds(found, least_squares(whole, names))
                wide = max(abs(float(row["high"]) - float(row["low"])) for row in found[1:-2])
                self.assertLess(wide, 60)

    def test_values_between_steps_are_allowed_for(self):
        """Rounding that goes with y: a slope that the steps do not have at all."""
        chance = random.Random(5)
        made = []
        for i in range(4000):
            up = i % 2
            made.append({"a": (0.25 if i % 4 < 2 else 0.75) + (0.0038 if up else -0.0038), "b": chance.random(),
                         "c": chance.random(), "y": up})
        self.file("people.csv", "a,b,c,y\n" + "".join(f"{r['a']!r},{r['b']!r},{r['c']!r},{r['y']}\n" for r in made))
        real = "{ type = \"real\", lower = 0, upper = 1 }"
        self.file("catalog.toml", CATALOG[:CATALOG.index("columns")] + f"columns = {{ a = {real}, b = {real}, c = {real}, y = {real} }}\n")
        found = self.released('name = "lines"\nfrom = "people"\ny = "y"\nx = ["a", "b", "c"]\n')
        truth = least_squares(made, ["a", "b", "c"])
        self.assertGreater(truth[1], 0.02)
        self.assert_holds(found, truth)
        of_a = found[1]
        self.assertLess(float(of_a["high"]) - float(of_a["low"]), 1)
        self.assertIn("intervals allow for it", self.text("plan", "study.toml"))

    def test_groups_and_rows_of_a_condition(self):
        found = self.released('name = "lines"\nfrom = "people"\nwhere = "a > 2"\ngroup_by = ["region"]\ny = "y"\n'
                              'x = ["a", "b * 2 AS twice"]\n')
        self.assertEqual(len(found), 3 * 5)
        for region in ("north", "south"):
            kept = [{**row, "twice": 2 * row["b"]} for row in self.rows if row["region"] == region and row["a"] > 2]
            self.assert_holds([row for row in found if row["region"] == region], least_squares(kept, ["a", "twice"]))
        self.assertEqual({row["informative"] for row in found if row["region"] == "west"} - {"true"}, {"false"})

    def test_one_measurement_serves_all_and_the_plan_says_how_accurate(self):
        self.study('name = "lines"\nfrom = "people"\ny = "y"\nx = ["a", "b"]\naccuracy = { a = 0.5 }\n',
                   'catalog = "catalog.toml"\n')
        plan = self.json("plan", "study.toml")
        releases = plan["statistics"][0]["releases"]
        self.assertEqual([one.get("shared_with") for one in releases].count(None), 1)
        accuracy = {one["column"]: one["accuracy"] for one in releases}
        self.assertLessEqual(accuracy["a"], 0.5)
        self.assertGreater(accuracy["a"], 0.49)
        self.assertIn("no x goes with another", self.text("plan", "study.toml"))

    def test_units_with_many_rows_count_in_part(self):
        found = self.released('name = "lines"\nfrom = "visits"\ny = "y"\nx = ["a", "b"]\nmax_rows = 3\n')
        coefficients = {row["coefficient"]: row for row in found}
        self.assertLess(abs(float(coefficients["a"]["value"]) - 5), 1)
        self.assertLess(abs(float(coefficients["b"]["value"]) - 3), 1)

    def test_one_x_tells_of_the_population(self):
        found = self.released('name = "lines"\nfrom = "people"\ny = "y"\nx = ["a"]\ncovers = "population"\n',
                              HEAD.replace("1e-9", "1e-6"))
        self.assertEqual([row["coefficient"] for row in found], ["a"])
        self.assert_holds(found, least_squares(self.rows, ["a"])[1:2])
        self.assertLess(abs(float(found[0]["value"]) - 3), 0.5)
        with open("out/release.json", encoding="utf-8") as file:
            text = file.read()
        self.assertIn('"coverage":"tested"', text)
        self.assertIn('"covers":"population"', text)

    def test_no_information_is_said_and_nothing_fails(self):
        for i, (where, x) in enumerate((("a < 0", '"a", "b"'), ("a = 5", '"a", "b"'), ("a > 0", '"a", "a + 1 AS next"'))):
            with self.subTest(where=where):
                self.study(f'name = "lines"\nfrom = "people"\nwhere = "{where}"\ny = "y"\nx = [{x}]\n')
                text = self.text("release", "study.toml", "--out", f"out{i}")
                self.assertIn("no information", text)

    def drawn(self, text, folder, head=HEAD):
        """The line and the two ends of its band, as points of the picture; none where there is no picture."""
        self.study(text, head)
        self.text("release", "study.toml", "--out", folder)
        with open(f"{folder}/report.html", encoding="utf-8") as file:
            figures = [one for one in file.read().split("<figure")[1:] if "line of least squares" in one]
        if not figures:
            return None
        paths = re.findall(r'<path class="stroke[^"]*" d="M([^"]*)"', figures[0].split("</figure>")[0])
        return [[tuple(map(float, point.split())) for point in path.split("L")] for path in paths]

    def test_the_report_draws_the_line_between_the_ends_of_its_band(self):
        self.file("people.csv", "region,a,b,c,d,e,y\n" + "".join(f"north,{i % 21},0,0,0,0,{i % 21 * 10}\n" for i in range(2100)))
        text = 'name = "lines"\nfrom = "people"\ny = "y"\nx = ["a"]\n'
        line, low, high = self.drawn(text, "narrow")
        (left, bottom), (right, top) = line[0], line[-1]  # from corner to corner of the declared ranges
        self.assertGreater(right - left, 800)
        self.assertGreater(bottom - top, 250)
        for here, under, over in zip(line, low, high):
            self.assertAlmostEqual((here[0] - left) / (right - left), (bottom - here[1]) / (bottom - top), delta=0.01)
            self.assertTrue(under[1] + 0.1 >= here[1] >= over[1] - 0.1, (here, under, over))
            self.assertLess(under[1] - over[1], 8)
        _, low, high = self.drawn(text, "wide", HEAD.replace("epsilon = 200", "epsilon = 2"))
        self.assertGreater(max(under[1] - over[1] for under, over in zip(low, high)), 8)
        self.assertIsNone(self.drawn(text + 'where = "a < 0"\n', "nothing"))

    def test_in_sql(self):
        answer = self.json("query", "--catalog", "catalog.toml", "--epsilon", "200", "--alpha", "1e-9",
                           "SELECT REGR_SLOPE(y, b, a, c) AS of_b, REGR_R2(y, a, c, b) AS r2 FROM people")
        truth = least_squares(self.rows, ["a", "b", "c"])
        row = answer["statistics"][0]["rows"][0]
        for name, value in (("of_b", truth[2]), ("r2", truth[5])):
            self.assertTrue(row[name]["interval"][0] <= value <= row[name]["interval"][1], (row, value))
        self.assertEqual(answer["statistics"][0]["releases"][1]["shared_with"], "of_b")

    def test_bad_input_gets_one_sentence(self):
        good = 'name = "lines"\nfrom = "people"\ny = "y"\nx = ["a"]\n'
        for old, new, saying in (
                ('x = ["a"]', "x = []", "a list of 1 to 8 expressions"),
                ('x = ["a"]', 'x = ["a", "a"]', "two columns 'a'"),
                ('x = ["a"]', 'x = ["a", "a AS again"]', "each x once"),
                ('x = ["a"]', 'x = ["0 * a AS none"]', "the same in all rows"),
                ('x = ["a"]', 'x = ["region"]', "REGR_INTERCEPT"),
                ('x = ["a"]', 'x = ["intercept"]', "two columns 'intercept'"),
                ('x = ["a"]', 'x = ["a", "b"]\ncovers = "population"', "fourth moments"),
                ('x = ["a"]', 'x = ["a; DROP"]', "a list of 1 to 8 expressions"),
                ('y = "y"\n', "", "y = "),
                ('x = ["a"]', 'x = ["a"]\ncolour = 1', "colour")):
            with self.subTest(new=new):
                self.study(good.replace(old, new))
                done = run("plan", "study.toml")
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(saying, done.stderr)


if __name__ == "__main__":
    unittest.main()
