"""Named cells: data and settings in which an interval, or what was said beside it, was once false. Usage: cells_test.py PROGRAM"""
import json
import math
import os
import random
import unittest

from program import FolderTest, run

FAR = ["--alpha", "1e-9"]  # what noise may do to one assertion


def finite(value):
    """Every number of a record, however deep; what is not finite is written as a text."""
    if isinstance(value, dict):
        return all(finite(one) for one in value.values())
    if isinstance(value, list):
        return all(finite(one) for one in value)
    return not (isinstance(value, str) and value.lstrip("-").lower() in ("inf", "nan", "infinity"))


class Cells(FolderTest):
    def data(self, columns, lines, **keys):
        """One table `t` of these lines; columns as the catalog has them, keys of the table."""
        names = ",".join(columns)
        self.file("t.csv", names + "\n" + "\n".join(lines) + "\n")
        settings = "\n".join(f"{name} = {json.dumps(value)}" for name, value in {"unit": "row", **keys}.items())
        described = "\n".join(f"{name} = {{ {how} }}" for name, how in columns.items())
        self.file("catalog.toml", "[budget]\nepsilon = 10000.0\ndelta = 0.001\n[tables.t]\nsource = \"t.csv\"\n"
                  f"{settings}\n[tables.t.columns]\n{described}\n")

    def ask(self, sql, epsilon, *options):
        return self.json("query", "--catalog", "catalog.toml", sql, "--epsilon", str(epsilon), *options)

    def study(self, epsilon, *statistics, delta="1e-7", alpha=None):
        text = f'catalog = "catalog.toml"\nbudget = {{ epsilon = {epsilon}, delta = {delta} }}\n'
        text += f"alpha = {alpha}\n" if alpha else ""
        for place, (sql, *keys) in enumerate(statistics):
            text += "\n".join(["[[statistic]]", f'name = "s{place}"', f'sql = "{sql}"', *keys]) + "\n"
        return self.file("study.toml", text)

    def released(self, *words, **settings):
        self.study(*words, **settings)
        self.text("plan", "study.toml")
        folder = f"out{len(os.listdir())}"  # a new one
        self.printed = self.text("release", "study.toml", "--out", folder)
        self.assertEqual(run("verify", os.path.join(folder, "release.json")).returncode, 0)
        return json.loads(self.content(os.path.join(folder, "release.json")))

    def assert_holds(self, number, exact, accuracy=None):
        low, high = number["interval"]
        self.assertTrue(low <= exact <= high, (number, exact))
        self.assertTrue(low <= number["value"] <= high, number)
        if accuracy:
            self.assertLess(number["accuracy"], accuracy, number)

    # ---- sums

    def units(self, count=3000):
        self.data({"id": 'type = "integer"', "x": 'type = "integer", lower = 0, upper = 1'},
                  [f"{unit},{x}" for unit in range(count) for x in (1, 1, 0)], unit="id")

    def test_a_sum_of_parts_of_units_allows_for_what_is_cut(self):
        self.units(20000)
        for columns in ("SUM(x) AS s", "SUM(x) AS s, AVG(x) AS m", "SUM(x) AS s, VARIANCE(x) AS v"):
            answer = self.ask(f"SELECT {columns} FROM t", 3000, "--alpha", "1e-9")
            number = answer["statistics"][0]["rows"][0]["s"]
            self.assertEqual(number["coverage"], "proven")
            self.assert_holds(number, 40000 / 3)
            self.assertTrue(any("its interval allows for that" in one for one in answer["assumptions"]), answer["assumptions"])

    def test_so_does_one_beside_a_mean_and_a_difference_of_such(self):
        self.units()
        row = self.ask("SELECT SUM(x) AS s, AVG(x) AS m, COUNT(x) AS n FROM t", 100)["statistics"][0]["rows"][0]
        self.assertEqual([row[name]["coverage"] for name in ("s", "m", "n")], ["proven", "proven", "proven"])
        self.data({"id": 'type = "integer"', "g": 'type = "string", keys = ["a", "b"]',
                   "x": 'type = "integer", lower = 0, upper = 1'},
                  [f"{unit},{'ab'[unit % 2]},{x}" for unit in range(100) for x in (1, 1, 0)], unit="id")
        for columns in ("SUM(x) AS s", "SUM(x) AS s, AVG(x) AS m"):
            record = self.released(10, (f"SELECT g, {columns} FROM t GROUP BY g", 'differences = [["a", "b"]]'), alpha="1e-9")
            difference = record["statistics"][0]["differences"][0]["s"]
            self.assertEqual(difference["coverage"], "proven")
            self.assert_holds(difference, 0)

    def test_sums_of_reals_and_of_whole_rows_are_proven(self):
        self.data({"x": 'type = "real", lower = 0, upper = 1', "k": 'type = "integer", lower = 0, upper = 9'},
                  ["0.3,4"] * 50)
        row = self.ask("SELECT SUM(x) AS s, SUM(k) AS whole FROM t", 10)["statistics"][0]["rows"][0]
        self.assertEqual((row["s"]["coverage"], row["whole"]["coverage"]), ("proven", "proven"))

    # ---- populations

    def test_a_plan_refuses_weighted_rows_under_private_keys_of_which_release_knows_nothing(self):
        self.data({"id": 'type = "integer"', "g": 'type = "string"', "x": 'type = "integer", lower = 0, upper = 1',
                   "w": 'type = "integer", lower = 0, upper = 100'}, [f"{i},{i % 3},1,10" for i in range(90)], unit="id",
                  weight="w", row_limit=1000)
        for columns in ("AVG(x) AS m", "SUM(x) AS m"):
            self.study(3, (f"SELECT g, {columns} FROM t GROUP BY g", 'covers = "population"'))
            for command in ("plan", "release"):
                done = run(command, "study.toml")
                self.assertEqual(done.returncode, 2, (command, done))
                self.assertIn("under private keys", done.stderr)

    def test_totals_of_a_population_hold_given_that_their_key_is_published(self):
        chance = random.Random(5)
        lines, members = [], 60
        for city in range(1200):
            drawn = sum(chance.random() < 0.1 for _ in range(members))
            lines += [f"{len(lines) + i},c{city},1" for i in range(drawn)]
        self.data({"id": 'type = "integer"', "city": 'type = "string"', "x": 'type = "integer", lower = 0, upper = 2'},
                  lines, unit="id", sampled=0.1)
        record = self.released(3, ("SELECT city, COUNT(x) AS n, SUM(x) AS s FROM t GROUP BY city", 'covers = "population"'),
                               delta="1e-3")
        rows = record["statistics"][0]["rows"]
        self.assertGreater(len(rows), 50)
        for name in ("n", "s"):
            missed = sum(not row[name]["interval"][0] <= members <= row[name]["interval"][1] for row in rows)
            self.assertLess(missed, 0.05 * len(rows) + 6 * math.sqrt(0.05 * len(rows)), name)
        self.assertEqual(rows[0]["n"]["coverage"], "proven")
        self.assertEqual(rows[0]["n"]["covers"], "bounded-population")

    def test_members_in_several_groups_are_said_to_count_in_one(self):
        # A half of 6,000 members, each in every group: about a third of them count in it, and every word says so.
        lines = [f"{unit},{group},{10 if group == 'a' else 5}" for unit in range(3000) for group in "abc"]
        self.data({"id": 'type = "integer"', "g": 'type = "string", keys = ["a", "b", "c"]',
                   "x": 'type = "integer", lower = 0, upper = 10'}, lines, unit="id", sampled=0.5)
        record = self.released(50, ("SELECT g, COUNT(*) AS n, AVG(x) AS m FROM t GROUP BY g", 'covers = "population"'))
        for row in record["statistics"][0]["rows"]:
            self.assertEqual({row[name]["covers"] for name in ("n", "m")}, {"bounded-population"})
            self.assertAlmostEqual(row["n"]["value"], 2000, delta=300)
        self.assertTrue(any("do not count" in one for one in record["assumptions"]), record["assumptions"])
        self.assertIn("what counts of", self.printed)

    def test_levels_that_nobody_searched_are_refused_where_intervals_are_tested(self):
        self.data({"x": 'type = "integer", lower = 0, upper = 10'}, ["3"] * 100, sampled=0.5)
        self.study(10, ("SELECT AVG(x) AS m FROM t", 'covers = "population"'), delta="0", alpha="1e-13")
        for command in ("plan", "release"):
            done = run(command, "study.toml")
            self.assertEqual(done.returncode, 2, done)
            self.assertIn("a search down to an alpha of 1e-12", done.stderr)
        for sql, *keys in (("SELECT AVG(x) AS m FROM t", "guaranteed = true"), ("SELECT COUNT(*) AS m FROM t",)):
            self.study(10, (sql, 'covers = "population"', *keys), delta="0", alpha="1e-13")
            self.text("plan", "study.toml")

    # ---- denoising

    def counts(self, *counts):
        keys = [f"k{place}" for place in range(len(counts))]
        lines = [key for key, count in zip(keys, counts, strict=True) for _ in range(count)] or [""]
        self.data({"g": f'type = "string", keys = {json.dumps(keys)}'}, lines)

    def test_denoised_counts_are_never_told_to_be_further_away_than_published_ones(self):
        for truth in ((21, 21, 0, 0, 0), (25, 0, 25, 0, 25), (0, 0, 0, 100, 200, 300), (5, 5, 5, 5, 100)):
            self.counts(*truth)
            for choice in ("james-stein", "least-risk", "soft-threshold"):
                for _ in range(3):
                    self.study(0.1, ("SELECT g, COUNT(*) AS n FROM t GROUP BY g", f'denoise = "{choice}"'), delta="0")
                    answer = self.json("release", "study.toml", "--out", f"out{len(os.listdir())}")
                    (column,) = answer["statistics"][0]["denoise"]["columns"]
                    self.assertLessEqual(column["risk"], 1, (truth, choice, column))
                    if choice == "james-stein":
                        self.assertEqual(column["used"], "james-stein-to-least")

    def test_consistent_values_stay_finite_at_an_epsilon_of_2000(self):
        self.counts(277, 245)
        record = self.released(2000, ("SELECT g, COUNT(*) AS n FROM t GROUP BY g", 'denoise = "consistent"'),
                               ("SELECT COUNT(*) AS n FROM t", 'denoise = "consistent"'), delta="0")
        self.assertTrue(finite(record["statistics"]))
        self.assertEqual([row["n"]["denoised"] for row in record["statistics"][0]["rows"]], [277, 245])
        self.assertEqual(record["statistics"][1]["rows"][0]["n"]["denoised"], 522)

    def test_every_denoising_stays_finite_where_there_is_next_to_no_noise(self):
        self.counts(7, 7, 7, 0, 3)
        for choice in ("james-stein", "least-risk", "soft-threshold"):
            record = self.released(2000, ("SELECT g, COUNT(*) AS n FROM t GROUP BY g", f'denoise = "{choice}"'), delta="0")
            self.assertTrue(finite(record["statistics"]), choice)
            self.assertEqual([row["n"]["denoised"] for row in record["statistics"][0]["rows"]], [7, 7, 7, 0, 3])

    def test_tables_that_do_not_count_the_same_rows_keep_their_own_numbers_and_say_so(self):
        # A row in which the key has none of its declared values is in the total, and in none of the cells.
        self.counts(277, 245)
        self.file("t.csv", self.content("t.csv") + "other\n" * 40)
        record = self.released(40, ("SELECT g, COUNT(*) AS n FROM t GROUP BY g", 'denoise = "consistent"'),
                               ("SELECT COUNT(*) AS n FROM t", 'denoise = "consistent"'), delta="0")
        for statistic in record["statistics"]:
            self.assertEqual(statistic["denoise"]["columns"][0]["used"], "raw-as-tables-disagree")
            for row in statistic["rows"]:
                self.assertEqual(row["n"]["denoised"], row["n"]["value"])
                self.assertEqual(row["n"]["denoised_interval"], row["n"]["interval"])
        self.assert_holds(record["statistics"][1]["rows"][0]["n"], 562, 2)
        self.assertIn("the tables count different rows", self.printed)

    # ---- relations

    def test_a_mean_beside_a_slope_is_that_of_the_values(self):
        # 0 to 200,000 beside 0 to 100, every y 1,500: once on multiples of 1,024.
        self.data({"age": 'type = "integer", lower = 0, upper = 100, never_null = true',
                   "income": 'type = "integer", lower = 0, upper = 200000, never_null = true'},
                  [f"{i % 90},1500" for i in range(2000)])
        answer = self.ask("SELECT REGR_AVGY(income, age) AS y, REGR_SLOPE(income, age) AS b FROM t", 1000, *FAR)
        row = answer["statistics"][0]["rows"][0]
        self.assert_holds(row["y"], 1500, 10)
        self.assert_holds(row["b"], 0, 1)
        self.assertFalse(any("nearest multiple" in one for one in answer["assumptions"]), answer["assumptions"])

    def test_means_of_a_pair_allow_for_values_between_its_steps(self):
        self.data({"x": 'type = "real", lower = 0, upper = 1', "y": 'type = "real", lower = 0, upper = 1048576'},
                  ["0.123456789,300000.4"] * 1000)
        answer = self.ask("SELECT REGR_AVGY(y, x) AS y, REGR_AVGX(y, x) AS x, COVAR_POP(y, x) AS c FROM t", 9000, *FAR)
        row = answer["statistics"][0]["rows"][0]
        self.assert_holds(row["y"], 300000.4, 200)
        self.assert_holds(row["x"], 0.123456789, 1e-3)
        self.assert_holds(row["c"], 0)
        self.assertTrue(any("intervals allow for it" in one for one in answer["assumptions"]))

    def test_relations_have_intervals_at_the_smallest_levels(self):
        self.data({"x": 'type = "integer", lower = 0, upper = 10', "y": 'type = "integer", lower = 0, upper = 10'},
                  [f"{i % 10},{i % 7}" for i in range(2000)], row_limit=1000000)
        for alpha in ("1e-11", "1e-20"):
            row = self.ask("SELECT REGR_COUNT(y, x) AS n, CORR(y, x) AS r FROM t", 10, "--alpha", alpha)["statistics"][0]["rows"][0]
            self.assert_holds(row["n"], 2000, 100)
            self.assertTrue(row["r"]["informative"], row)
            text = self.text("plan", self.study(10, ("SELECT REGR_COUNT(y, x) AS n FROM t",), delta="0", alpha=alpha))
            self.assertNotRegex(text, r"e\+?\d\d")


if __name__ == "__main__":
    unittest.main()
