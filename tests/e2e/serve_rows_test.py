"""`vernier serve`: rows of every kind (statistics, tables that add up, series), what is chosen of them, and steps of series."""
import json
import os
import unittest

from program import FolderTest, run
from server import SHARES, STUDY, ServeTest, Server

TABLE = '\n# the tables\n  [[table]]\nname = "tables"\nfrom = "people"\ncolumns = ["region", "BUCKET(age, 50) AS half"]\nup_to = 2\n'
BOTH = STUDY + TABLE


class RowsTest(ServeTest):
    def edited(self, study, status=200, **edit):
        answer = self.server.plan(study, edit=edit)
        self.assertEqual(answer.status, status, answer.body)
        return answer

    def assert_same_as_the_program(self, answer):
        self.file("study.toml", answer.json["text"])
        here = os.path.realpath(".") + "/"
        printed = self.program_json("plan", "study.toml", "--catalog", "catalog.toml").replace(here, "")
        self.assertEqual(answer.body[:answer.body.index(',"text":')].replace(here, "") + "}\n", printed)


class Tables(RowsTest):
    def test_the_accuracy_of_their_cells_is_typed_held_and_let_go(self):
        self.assertFalse(self.server.plan(BOTH).json["shown"]["tables"][0]["locked"])
        held = self.edited(BOTH, kind="accuracy", statistic="tables", column="cells", accuracy="90")
        shown = held.json["shown"]["tables"][0]
        self.assertTrue(shown["locked"])
        self.assertLessEqual(float(shown["lock"]), 90)
        self.assertIn("# the tables\n", held.json["text"])
        self.assert_same_as_the_program(held)
        free = self.edited(held.json["text"], kind="unlock", statistic="tables", column="cells")
        self.assertEqual(free.json["text"], BOTH)

    def test_their_share_is_typed_and_they_are_removed(self):
        study = BOTH.replace("accuracy = { people = 40 }   # held\n", "")
        shared = self.edited(study, kind="share", statistic="tables", percent="40")
        self.assertAlmostEqual(int(shared.json["shown"]["tables"][0]["share"].removesuffix(" %")), 40, delta=1)
        self.assert_same_as_the_program(shared)
        self.assertEqual(self.edited(BOTH, kind="remove", statistic="tables").json["shown"]["tables"], [])

    def test_what_cannot_be_is_refused(self):
        for edit in ({"kind": "accuracy", "statistic": "tables", "column": "people", "accuracy": "90"},
                     {"kind": "accuracy", "statistic": "tables", "column": "cells", "accuracy": "1"},
                     {"kind": "accuracy", "statistic": "tables", "column": "cells", "accuracy": "0"},
                     {"kind": "sql", "statistic": "tables", "sql": "SELECT COUNT(*) AS n FROM people"}):
            self.assertIn(self.server.plan(BOTH, edit=edit).status, (400, 422), edit)

    def test_a_statistic_is_removed_and_nothing_of_what_stands_behind_it(self):
        answer = self.edited(BOTH, kind="remove", statistic="all")
        self.assertEqual([one["name"] for one in answer.json["shown"]["tables"]], ["tables"])
        self.assertTrue(answer.json["text"].endswith(TABLE.lstrip("\n")), answer.json["text"])


class Choices(RowsTest):
    def test_what_else_a_statistic_says(self):
        for key, value in (("denoise", "least-risk"), ("simultaneous", "true"), ("max_rows", "2"), ("typical_rows", "300")):
            answer = self.edited(STUDY, kind="choose", statistic="by region", key=key, value=value)
            self.assertEqual(answer.json["shown"]["statistics"][0]["choices"][key], value)
            self.assert_same_as_the_program(answer)
            back = self.edited(answer.json["text"], kind="choose", statistic="by region", key=key, value="")
            self.assertEqual(back.json["text"], STUDY)
        for key, value in (("covers", "everybody"), ("max_rows", "-1"), ("max_rows", "2\nweight = 9"), ("sql", "x"), ("denoise", "x\"")):
            self.assertIn(self.server.plan(edit={"kind": "choose", "statistic": "by region", "key": key, "value": value}).status, (400, 422), key)

    def test_a_statement_is_changed_in_place(self):
        sql = 'SELECT region, COUNT(*) AS people, AVG(age) AS age FROM people WHERE age > 17 GROUP BY region'
        answer = self.edited(STUDY, kind="sql", statistic="by region", sql=sql)
        self.assertEqual(answer.json["text"], STUDY.replace("AVG(age) AS age FROM people GROUP", "AVG(age) AS age FROM people WHERE age > 17 GROUP"))
        wrong = self.server.plan(edit={"kind": "sql", "statistic": "by region", "sql": sql.replace("GROUP", "GRUP")})
        self.assertIn("^", wrong.sentence)

    def test_everything_is_held_for_the_least_epsilon(self):
        study = BOTH.replace("epsilon = 0.5", "epsilon = 1.5")
        before = self.server.plan(study).json["shown"]
        least = self.edited(study, kind="least").json
        self.assertTrue(all(column["locked"] for one in least["shown"]["statistics"] for column in one["columns"]))
        self.assertTrue(least["shown"]["tables"][0]["locked"])
        for one, other in zip(before["statistics"], least["shown"]["statistics"]):
            for column, held in zip(one["columns"], other["columns"]):
                self.assertLessEqual(float(held["lock"]), float(column["lock"]))
        self.assertLessEqual(float(least["shown"]["budget"]["epsilon"]), 1.5)
        self.assertEqual(least["shown"]["budget"]["unspent"], "")
        less = f'epsilon = {float(least["shown"]["budget"]["epsilon"]) * 0.99:.6g}'
        self.assertEqual(self.server.plan(least["text"].replace(f'epsilon = {least["shown"]["budget"]["epsilon"]}', less)).status, 422)

    def test_numbers_may_be_numbers(self):
        self.assertEqual(self.edited(STUDY, kind="accuracy", statistic="by region", column="people", accuracy=25).json["text"],
                         self.edited(STUDY, kind="accuracy", statistic="by region", column="people", accuracy="25").json["text"])


SERIES_CATALOG = """[budget]
epsilon = 4.0
delta = 1e-6
{shares}
[tables.cases]
source = "cases.csv"
unit = "person"
append_only = true
row_limit = 100_000

[tables.cases.columns]
person = {{ type = "integer" }}
region = {{ type = "string", keys = ["north", "south"] }}
reported = {{ type = "date" }}
"""
SERIES = """# every day
budget = { epsilon = 1.0, delta = 1e-7 }

[[series]]
name = "cases"
from = "cases"
columns = ["region"]
day = "reported"
step = "day"
start = 2027-01-01
end = 2027-01-20
"""
KEYS = [f"a-key-of-a-step-{i:04}" for i in range(9)]


class SeriesTest(RowsTest):
    def setUp(self):
        FolderTest.setUp(self)
        self.file("cases.csv", "person,region,reported\n" + "".join(f"{i},{('north', 'south')[i % 2]},2027-01-{1 + i % 20:02}\n" for i in range(1, 2001)))
        self.file("catalog.toml", SERIES_CATALOG.format(shares=self.shares))
        self.start()

    def start(self):
        self.server = Server("--root", ".", *self.words)
        self.addCleanup(self.server.close)

    def step(self, key, day, token=None, study=SERIES, **more):
        wanted = self.server.plan(study, token=token).json["plan_hash"]
        begun = self.server.begin(key, token=token, study=study, plan_hash=wanted, step=day, **more)
        return self.server.followed(key, token=token) if begun.status in (200, 202) else begun


class Series(SeriesTest):
    def test_their_plan_is_that_of_the_program_and_rows_are_edited(self):
        self.assert_same_as_the_program(self.server.plan(SERIES))
        held = self.edited(SERIES, kind="accuracy", statistic="cases", column="cumulative", accuracy="120")
        row = next(one for one in held.json["shown"]["series"][0]["columns"] if one["column"] == "cumulative")
        self.assertTrue(row["locked"])
        self.assertLessEqual(float(row["lock"]), 120)
        self.assertIn("# every day\n", held.json["text"])
        self.assert_same_as_the_program(held)
        self.assertEqual(self.edited(held.json["text"], kind="unlock", statistic="cases", column="cumulative").json["text"], SERIES)
        self.assert_same_as_the_program(self.edited(SERIES, kind="budget", epsilon="2"))
        for edit in ({"kind": "accuracy", "statistic": "cases", "column": "cumulative", "accuracy": "1"}, {"kind": "weight", "statistic": "cases", "weight": "2"},
                     {"kind": "remove", "statistic": "cases"}, {"kind": "least"}):
            self.assertIn(self.server.plan(SERIES, edit=edit).status, (400, 422), edit)
        checked = self.server.post("study/check", {"catalog": "catalog.toml", "study": SERIES}).json
        self.assertEqual((checked["holds"], checked["problems"]), (True, []))
        self.assertEqual(len(self.server.post("counts", {"catalog": "catalog.toml", "study": SERIES}).json["counts"]), 3)

    def test_the_first_step_pays_for_all_and_each_is_published_once(self):
        first = self.step(KEYS[0], "2027-01-01").json
        self.assertEqual(first["state"], "ready", first)
        self.assertEqual(len(self.entries()), 2)  # of all, and of the step, which costs nothing
        second = self.step(KEYS[1], "2027-01-02").json
        self.assertEqual((second["state"], second["answer"]["step"], second["answer"]["repeated"]), ("ready", "2027-01-02", False))
        again = self.step(KEYS[2], "2027-01-02").json
        self.assertTrue(again["answer"]["repeated"])
        documents = [self.server.get(f"releases/{one['answer']['release']}/documents/release.json?catalog=catalog.toml") for one in (first, second, again)]
        self.assertEqual([one.status for one in documents], [200] * 3)
        self.assertNotEqual(documents[0].body, documents[1].body)
        self.assertEqual(documents[1].body, documents[2].body)
        self.assertTrue(self.server.post("verify", {"record": documents[0].body}).json["holds"])
        self.assertFalse(self.server.post("verify", {"record": documents[0].body.replace('"cases"', '"caves"', 1)}).json["holds"])
        for one, day in zip(documents, ("01", "02")):
            os.makedirs(f"published/2027-01-{day}")
            self.file(f"published/2027-01-{day}/release.json", one.body)
        self.assertEqual(run("verify", "published/2027-01-01/release.json", "--and", "published/2027-01-02/release.json").returncode, 0)
        plan = self.server.plan(SERIES).json
        self.assertEqual((plan["reserved"], plan["shown"]["next"]), (True, "2027-01-03"))
        other = self.server.begin(KEYS[1], study=SERIES, step="2027-01-03")
        self.assertEqual(other.status, 409)
        self.assertEqual(run("ledger", "verify", "catalog.toml").returncode, 0)
        listed = self.server.get("releases?catalog=catalog.toml").json["releases"]
        self.assertEqual([one["state"] for one in listed if "." in one["release"]], ["ready", "ready"])
        published = self.server.post(f"releases/{first['answer']['release']}/publish", {"catalog": "catalog.toml"})
        self.assertEqual(published.status, 200, published.body)
        self.assertEqual(self.server.get(f"published/{first['answer']['release']}/cases.csv").status, 200)

    def test_steps_that_are_none_cost_nothing(self):
        plan_hash = self.server.plan(SERIES).json["plan_hash"]
        for number, more in enumerate(({}, {"step": "tomorrow"}, {"step": "2028-01-01"}, {"step": 3})):
            self.server.begin(KEYS[number], study=SERIES, plan_hash=plan_hash, **more)
            self.assertEqual(self.server.followed(KEYS[number]).json["state"], "refused", more)
        self.file("catalog.toml", SERIES_CATALOG.format(shares=self.shares).replace("100_000", "90_000"))
        self.server.begin(KEYS[5], study=SERIES, plan_hash=plan_hash, step="2027-01-01")
        self.assertIn("no longer the one that was reviewed", self.server.followed(KEYS[5]).body)
        self.assertEqual(self.entries(), [])


class SeriesOfPeople(SeriesTest):
    shares = SHARES
    words = ("--tokens", "tokens.toml", "--slot", "1")

    def start(self):
        self.tokens = {name: self.text("serve", "token", "--tokens", "tokens.toml", "--name", name, "--role", "analyst").strip() for name in ("anna", "ben")}
        super().start()

    def test_series_of_the_same_name_are_each_ones_own(self):
        of_anna = self.step(KEYS[0], "2027-01-01", token=self.tokens["anna"]).json
        of_ben = self.step(KEYS[0], "2027-01-01", token=self.tokens["ben"]).json
        self.assertEqual((of_anna["state"], of_ben["state"]), ("ready", "ready"))
        self.assertNotEqual(of_anna["answer"]["release"], of_ben["answer"]["release"])
        self.assertEqual({entry["analyst"] for entry in self.entries()}, {"anna", "ben"})
        path = f"releases/{of_anna['answer']['release']}/documents/cases.csv?catalog=catalog.toml"
        self.assertEqual(self.server.get(path, token=self.tokens["anna"]).status, 200)
        self.assertEqual(self.server.get(path, token=self.tokens["ben"]).status, 404)
        slash = self.server.plan(SERIES, token=self.tokens["ben"], name="anna/study")
        self.assertIn("must have no '/'", slash.sentence)


if __name__ == "__main__":
    unittest.main()
