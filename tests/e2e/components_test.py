"""Principal components as a user asks for them. Usage: components_test.py PROGRAM"""
import csv
import json
import math
import random
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000.0
delta = 1e-4

[tables.people]
source = "people.csv"
unit = "row"
row_limit = 100000
columns = { region = { type = "string", keys = ["north", "west"] }, a = { type = "integer", lower = 0, upper = 20 }, b = { type = "integer", lower = -5, upper = 5 }, c = { type = "integer", lower = 0, upper = 8 }, d = { type = "integer", lower = 0, upper = 4 }, e = { type = "integer", lower = 0, upper = 4 } }
"""
HEAD = 'catalog = "catalog.toml"\nbudget = { epsilon = 200, delta = 1e-7 }\nalpha = 1e-9\n'
NAMES = ["region", "a", "b", "c", "d", "e"]


def rows(count=3000):
    chance = random.Random(5)
    made = []
    for _ in range(count):
        common = chance.gauss(0, 1)
        made.append({"region": "north", "a": min(20, max(0, round(10 + 4 * common + chance.gauss(0, 2)))),
                     "b": min(5, max(-5, round(2 * common + chance.gauss(0, 1)))), "c": chance.randint(0, 8),
                     "d": chance.randint(0, 4), "e": chance.randint(0, 4)})
    return made


def eigenvalues(found, columns):
    """Of the covariance matrix, the greatest first, by Jacobi's rotations."""
    count, means = len(found), [sum(column(row) for row in found) / len(found) for column in columns]
    size = len(columns)
    matrix = [[sum((columns[i](row) - means[i]) * (columns[j](row) - means[j]) for row in found) / (count - 1)
               for j in range(size)] for i in range(size)]
    for _ in range(30):
        for k in range(size):
            for l in range(k + 1, size):
                angle = 0.5 * math.atan2(2 * matrix[k][l], matrix[k][k] - matrix[l][l])
                cos, sin = math.cos(angle), math.sin(angle)
                for row in matrix:
                    row[k], row[l] = cos * row[k] + sin * row[l], cos * row[l] - sin * row[k]
                matrix[k], matrix[l] = ([cos * x + sin * y for x, y in zip(matrix[k], matrix[l])],
                                        [cos * y - sin * x for x, y in zip(matrix[k], matrix[l])])
    return sorted((matrix[i][i] for i in range(size)), reverse=True)


class Components(FolderTest):
    def setUp(self):
        super().setUp()
        self.rows = rows()
        lines = [",".join(str(row[name]) for name in NAMES) for row in self.rows]
        self.file("people.csv", ",".join(NAMES) + "\n" + "\n".join(lines) + "\n,1,,3,1,1\n")
        self.file("catalog.toml", CATALOG)

    def study(self, text, head=HEAD):
        return self.file("study.toml", head + "[[components]]\n" + text)

    def test_every_number_of_columns_holds_what_is_true(self):
        for names in (["a", "b"], ["b", "c", "a / 2"], ["a", "b", "c", "d", "e"]):
            with self.subTest(names=names):
                folder = f"out{len(names)}"
                self.study(f'name = "spread"\nfrom = "people"\ncolumns = {json.dumps(names)}\n')
                self.text("release", "study.toml", "--out", folder)
                self.assertEqual(run("verify", folder).returncode, 0)
                with open(f"{folder}/spread.csv", encoding="utf-8", newline="") as file:
                    found = list(csv.DictReader(file))
                columns = [(lambda row, name=name: row["a"] / 2 if "/" in name else row[name]) for name in names]
                truth = eigenvalues(self.rows, columns)
                self.assertEqual([row["coefficient"] for row in found],
                                 [f"{kind}_{i + 1}" for kind in ("variance", "share") for i in range(len(names))])
                for row, value in zip(found, truth + [one / sum(truth) for one in truth]):
                    self.assertTrue(float(row["low"]) <= value <= float(row["high"]), (row, value))
                    self.assertTrue(float(row["low"]) <= float(row["value"]) <= float(row["high"]), row)
                    self.assertEqual(row["informative"], "true")
                    self.assertLess(float(row["accuracy"]), 0.35 * truth[0], row)

    def test_one_measurement_serves_all_and_is_told_before(self):
        self.study('name = "spread"\nfrom = "people"\ncolumns = ["b", "a"]\naccuracy = { variance_1 = 0.5 }\n',
                   'catalog = "catalog.toml"\n')
        releases = self.json("plan", "study.toml")["statistics"][0]["releases"]
        self.assertEqual([one.get("shared_with") for one in releases].count(None), 1)
        (accuracy,) = [one["accuracy"] for one in releases if one["column"] == "variance_1"]
        self.assertTrue(0.49 < accuracy <= 0.5, accuracy)

    def test_a_group_without_rows_says_nothing(self):
        self.study('name = "spread"\nfrom = "people"\ncolumns = ["a", "b"]\ngroup_by = ["region"]\n')
        self.text("release", "study.toml", "--out", "out")
        with open("out/spread.csv", encoding="utf-8", newline="") as file:
            told = {(row["region"], row["coefficient"]): row["informative"] for row in csv.DictReader(file)}
        self.assertEqual((told["north", "variance_1"], told["west", "variance_1"]), ("true", "false"))

    def test_in_sql_beside_a_regression(self):
        answer = self.json("query", "--catalog", "catalog.toml", "--epsilon", "200", "--alpha", "1e-9",
                           "SELECT COMPONENT_SHARE(1, b, a, c) AS s, REGR_SLOPE(c, b, a) AS slope FROM people")
        truth = eigenvalues(self.rows, [lambda row, name=name: row[name] for name in "abc"])
        low, high = answer["statistics"][0]["rows"][0]["s"]["interval"]
        self.assertTrue(low <= truth[0] / sum(truth) <= high)
        self.assertEqual(answer["statistics"][0]["releases"][1]["shared_with"], "s")

    def test_bad_input_gets_one_sentence(self):
        good = 'name = "spread"\nfrom = "people"\ncolumns = ["a", "b"]\n'
        for old, new, saying in (('["a", "b"]', '["a"]', "a list of 2 to 9 expressions"),
                                 ('["a", "b"]', '["a", "a"]', "different columns"),
                                 ('["a", "b"]', '["a", "region"]', "takes a number"),
                                 ('["a", "b"]', '["a", "0 * b"]', "the same in all rows"),
                                 ('"a", "b"]', '"a", "b"]\ncovers = "population"', "nothing of a population"),
                                 ('from = "people"\n', "", "from = "),
                                 ('"a", "b"]', '"a", "b"]\nx = ["a"]', "takes no key 'x'")):
            with self.subTest(new=new):
                self.study(good.replace(old, new))
                done = run("plan", "study.toml")
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(saying, done.stderr)
        for call, saying in (("COMPONENT_SHARE(3, a, b)", "from 1 to the number of columns"),
                             ("COMPONENT_SHARE(a, b)", "2 to 9 columns"), ("COMPONENT_VARIANCE(a, b, c)", "from 1 to"),
                             ("COMPONENT_VARIANCE(1.5, b, c)", "from 1 to")):
            with self.subTest(call=call):
                done = run("query", "--catalog", "catalog.toml", "--epsilon", "1", f"SELECT {call} AS x FROM people")
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(saying, done.stderr)


if __name__ == "__main__":
    unittest.main()
