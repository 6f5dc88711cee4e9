"""How many rows of a unit may count, found privately over frames."""
import tempfile
import unittest

import vernier as vn

ROWS = {"person": [i % 400 for i in range(400)] + [i % 100 for i in range(900)]}  # 300 with one row, 100 with ten


def catalog():
    visits = vn.Table({"person": vn.Column("integer")}, unit="person", data=ROWS)
    return vn.Catalog(vn.Budget(epsilon=5000), {"visits": visits}, folder=tempfile.mkdtemp())


class Limits(unittest.TestCase):
    def test_the_trade_is_a_frame_with_what_is_cut_off_and_noise(self):
        found = vn.limits(catalog(), "visits", epsilon=1000)
        self.assertEqual(found.max_rows, 10)
        self.assertLessEqual(found.units_at_least, 400)
        self.assertGreaterEqual(found.units_at_most, 400)
        frame = found.to_pandas().set_index("max_rows")
        self.assertEqual(list(frame.index), [1, 2, 3, 5, 7, 10])
        self.assertEqual(list(frame["units_with_more_at_most"]), [100, 100, 100, 100, 100, 0])
        self.assertAlmostEqual(frame["cut_off_about"][1], 800, delta=100)  # of the bucket of 8 to 10
        self.assertEqual(list(frame["accuracy"][:3]), [3, 6, 9])
        self.assertIn("visits: max_rows=10; at most 0 % of the units have more rows", repr(found))
        self.assertIn(">10</td>", found._repr_html_())

    def test_it_is_paid_for_once(self):
        asked = catalog()
        first = vn.limits(asked, "visits", epsilon=100)
        self.assertEqual(vn.limits(asked, "visits", epsilon=100).to_dict(), first.to_dict())
        self.assertTrue(vn.limits(asked, "visits", epsilon=100).release.repeated)

    def test_what_it_proposes_is_taken(self):
        found = vn.limits(catalog(), "visits", epsilon=1000, at=0.5)
        visits = vn.Table({"person": vn.Column("integer")}, unit="person", data=ROWS, max_rows=found.max_rows)
        counted = vn.Catalog(vn.Budget(epsilon=5000), {"visits": visits}, folder=tempfile.mkdtemp())
        self.assertEqual(vn.query(counted, "SELECT COUNT(*) AS n FROM visits", epsilon=4000)["n"].value, 1300)

    def test_what_is_no_table_is_refused(self):
        for table, says in (("visit", r"no table 'visit' \(did you mean visits\?\)"), ("visits.person", "no table 'visits.person'")):
            with self.assertRaisesRegex(vn.InvalidError, says):
                vn.limits(catalog(), table, epsilon=1)
        with self.assertRaisesRegex(vn.InvalidError, "at must not be negative"):
            vn.limits(catalog(), "visits", epsilon=1, at=-1)


if __name__ == "__main__":
    unittest.main()
