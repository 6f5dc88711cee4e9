"""Whole tables at every step of a series. Usage: series_tables_test.py PROGRAM"""
import json
import os
import random
import unittest

from program import run
from series_study import CATALOG, DAYS, STUDY, SeriesTest, rows


class Tables(SeriesTest):
    WHOLE = STUDY.replace('columns = ["region"]', 'columns = ["region", "sex"]') + "up_to = 2\naccuracy = { cumulative = 20, last_7 = 15, each = 10 }\n"

    def arrive_with_sex(self):
        self.write("catalog.toml", CATALOG + 'sex = { type = "integer", keys = [1, 2, 3] }\n')
        lines = [f"{line},{4 if i % 12 == 0 else 1 + i % 2}" for i, line in enumerate(rows(DAYS))]
        self.write("cases.csv", "\n".join(["person,region,reported,sex", *lines]) + "\n")

    def test_publishes_whole_tables_whose_estimates_add_up(self):
        self.arrive_with_sex()
        self.write("study.toml", self.WHOLE)
        plan = self.json("plan", "study.toml")
        names = ["cases", "cases by region", "cases by sex", "cases by region and sex"]
        self.assertEqual([one["name"] for one in plan["series"]], names)
        for one in plan["series"]:
            self.assertLessEqual(max(step["cumulative_accuracy"] for step in one["steps"]), 20)
        self.assertIn("whose estimates add up", self.text("plan", "study.toml"))
        for day in ("2027-01-03", "2027-01-05"):
            whole, by_region, by_sex, by_both = (one["rows"] for one in json.loads(self.released(day))["series"])
            self.assertEqual([len(rows) for rows in (whole, by_region, by_sex, by_both)], [1, 2, 3, 6])
            for kind in ("each", "last", "cumulative"):
                def estimates(rows, **keys):
                    return sum(row[kind]["estimate"] for row in rows if all(row[name] == key for name, key in keys.items()))
                total = estimates(whole)
                for rows in (by_region, by_sex, by_both):
                    self.assertAlmostEqual(estimates(rows), total, places=6)
                for row in by_region:
                    self.assertAlmostEqual(estimates(by_both, region=row["region"]), row[kind]["estimate"], places=6)
                for row in by_sex:
                    self.assertAlmostEqual(estimates(by_both, sex=row["sex"]), row[kind]["estimate"], places=6)
            days = int(day[-2:])
            self.assertLess(abs(whole[0]["cumulative"]["estimate"] - 55 * days), 80)  # rows of sex 4 are in no table
        self.assertEqual(run("verify", "2027-01-03", "--and", "2027-01-05").returncode, 0)
        self.assertIn("cases-by-region-and-sex.csv", os.listdir("2027-01-05"))
        self.write("other.toml", STUDY.replace('["region"]', '["region AS here"]') + "up_to = 1\n")
        self.assertEqual([one["name"] for one in self.json("plan", "other.toml")["series"]], ["cases", "cases by here"])

    def test_whole_tables_cost_less_than_each_by_itself(self):
        self.arrive_with_sex()
        self.write("study.toml", self.WHOLE.replace("budget = { epsilon = 20.0, delta = 1e-7 }\n", ""))
        together = self.json("plan", "study.toml")["guarantee"]["epsilon"]
        apart = self.WHOLE.replace("budget = { epsilon = 20.0, delta = 1e-7 }\n", "").replace("up_to = 2\n", "")
        block = apart[apart.index("[[series]]"):]
        for name, columns in (("b", '["region"]'), ("c", '["sex"]'), ("d", "[]")):
            apart += block.replace('name = "cases"', f'name = "{name}"').replace('["region", "sex"]', columns)
        self.write("apart.toml", apart)
        self.assertLess(together, 0.95 * self.json("plan", "apart.toml")["guarantee"]["epsilon"])

    def test_finds_each_of_many_keys(self):
        """Texts in no order, and numbers; of what is no key nothing is counted. With noise so small that every number is seen."""
        keys = [f"{name}{i}" for name in ("Z", "a", "é", " ") for i in range(13)]
        random.Random(3).shuffle(keys)
        for column, declared in (("place", keys), ("number", [3 * i - 60 for i in range(50)])):
            spelled = ", ".join(json.dumps(key, ensure_ascii=False) for key in declared)
            kind = "string" if column == "place" else "integer"
            self.write("catalog.toml", CATALOG.replace("epsilon = 60.0", "epsilon = 10000.0").replace(
                "[budget]", f'[budget]\nledger = "{column}.ledger"') + f'{column} = {{ type = "{kind}", keys = [{spelled}] }}\n')
            self.write("study.toml", STUDY.replace("epsilon = 20.0", "epsilon = 9000.0").replace('"region"', f'"{column}"'))
            lines = [f"{1000 * i + j},north,2027-01-01,{key}" for i, key in enumerate(declared) for j in range(20 * i)]
            lines += [f"{900000 + j},north,2027-01-01,{key}" for j, key in enumerate(["Zz", "", "~"] if kind == "string" else [-61, 100, 1])]
            self.write("cases.csv", "\n".join([f"person,region,reported,{column}", *lines]) + "\n")
            rows_of = json.loads(self.released("2027-01-01", folder=column))["series"][0]["rows"]
            self.assertEqual([row[column] for row in rows_of], declared)
            self.assertEqual([round(row["each"]["estimate"] / 20) for row in rows_of], list(range(len(declared))))


if __name__ == "__main__":
    unittest.main()
