import sys
import unittest

from tree import ROOT, TreeTest

sys.path.insert(0, str(ROOT / "tools"))
from fast_tests import UNKNOWN, chosen, costs  # noqa: E402


def test(name, *labels):
    return {"name": name, "properties": [{"name": "LABELS", "value": list(labels)}]}


class FastTests(TreeTest):
    def test_the_cheapest_are_taken_until_the_time_is_spent(self):
        tests = [test("a"), test("b"), test("c"), test("d")]
        self.assertEqual(chosen(tests, {"a": 3, "b": 0.5, "c": 1, "d": 9}, 1.6), [2, 3])
        self.assertEqual(chosen(tests, {"a": 3, "b": 0.5, "c": 1, "d": 9}, 4.5), [1, 2, 3])
        self.assertEqual(chosen(tests, {"a": 3, "b": 0.5, "c": 1, "d": 9}, 0.4), [])

    def test_heavy_ones_are_never_taken_and_unknown_ones_have_a_price(self):
        self.assertEqual(chosen([test("a", "heavy"), test("b", "fast"), {"name": "c"}], {"a": 0}, 2 * UNKNOWN), [2, 3])
        self.assertEqual(chosen([test("b"), test("c")], {}, UNKNOWN), [1])

    def test_what_ctest_remembers_is_read_without_what_failed(self):
        self.write("Testing/Temporary/CTestCostData.txt", "core.a 2 0.25\ncore.b 0 0\ncore.c 1 1e-2\n---\ncore.b\n")
        self.assertEqual(costs(self.root), {"core.a": 0.25, "core.c": 0.01})

    def test_a_folder_in_which_nothing_ran_has_no_costs(self):
        self.assertEqual(costs(self.root), {})


if __name__ == "__main__":
    unittest.main()
