"""The benchmark of engines, without servers: `python3 -m unittest bench.engines.task_test`."""

import tomllib
import unittest

from bench import harness
from bench.engines import cases, task


class Engines(unittest.TestCase):
    def test_every_case_has_a_target_of_its_own(self):
        engines = task.engines(quick=False)
        judged = [name for target in engines.targets for name in (target.cases if hasattr(target, "cases") else target.pairs)]
        self.assertEqual(sorted(judged), sorted(case.name for case in engines.cases))

    def test_a_question_is_told_in_a_line(self):
        for case in task.engines(quick=False).cases:
            self.assertEqual(cases.Question.of(case.line).name, case.name)

    def test_an_engine_that_takes_too_long_misses_its_target_alone(self):
        engines = task.engines(quick=False)
        figures = {(who, case.name): 1.0 for who in ("vernier", "plain") for case in engines.cases}
        self.assertTrue(harness.report(engines, figures)["targets_met"])
        slow = cases.Question("spark", "row", cases.ROWS, measure="clock").name
        report = harness.report(engines, figures | {("vernier", slow): 1.31})
        self.assertEqual([target["case"] for target in report["targets"] if not target["met"]], [slow])

    def test_catalogs_declare_all_but_a_few_regions(self):
        for unit in cases.UNITS:
            question = cases.Question("trino", unit, 10, passes=4)
            table = tomllib.loads(cases.catalog('kind = "trino"\naddress = "http://a"', question, "a.b.c"))["tables"]["people"]
            self.assertEqual(len(table["columns"]["region"]["keys"]), cases.DECLARED)
            self.assertEqual("max_groups" in table, unit == "person")


if __name__ == "__main__":
    unittest.main()
