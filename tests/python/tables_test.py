"""Tables that add up: what is read of few cells and of many."""
import tempfile
import unittest
from unittest import mock

import vernier as vn


def published():
    """Numbers of two columns of 100 keys, and of what has none: 10,201 cells."""
    whole = vn.Column("integer", bounds=(0, 99))
    rows = {"a": [i % 10 for i in range(2000)], "b": [i % 3 for i in range(2000)]}
    people = vn.Table({"a": whole, "b": whole}, unit="row", data=rows, row_limit=10_000)
    catalog = vn.Catalog(vn.Budget(epsilon=20, delta=1e-6), {"people": people}, folder=tempfile.mkdtemp())
    asked = vn.Tables("people", "people", ["BUCKET(a, 1) AS a", "BUCKET(b, 1) AS b"], up_to=2)
    return vn.release(vn.Study(catalog, [asked], epsilon=10, delta=1e-7))["people"]


class ManyCells(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = published()

    def test_come_from_parquet_and_add_up(self):
        both, ones = self.tables.table("a", "b"), self.tables.table("a")
        self.assertEqual(len(both), 101 * 101)
        self.assertEqual((both["a"][0], both["b"][0], both["b"][1], both["a"][-1]), ("0", "0", "1", "other"))
        self.assertTrue(all(low <= value <= high for low, value, high in zip(both["low"], both["value"], both["high"])))
        for place in (0, 9, 10, 100):
            of_row = sum(both["estimate"][101 * place:101 * (place + 1)])
            self.assertAlmostEqual(of_row, ones["estimate"][place], 6)
        self.assertLess(abs(both["estimate"][0] - 67), 60)
        self.assertEqual(self.tables.table("b", "a")["a"], both["a"])

    def test_say_what_is_missing_without_pyarrow(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            with self.assertRaisesRegex(vn.Error, "pip install pyarrow"):
                self.tables.table("a", "b")
            self.assertEqual(len(self.tables.table("a")), 101)


if __name__ == "__main__":
    unittest.main()
