"""Regressions and principal components of rows in memory."""
import tempfile
import unittest

import vernier as vn


def catalog():
    """Of 2,000 rows y is 10 + 2 x + w and up to 3 more, where x has the values 0 to 19 and w those 0 and 1."""
    rows = {"x": [i % 20 for i in range(2000)], "w": [i // 1000 for i in range(2000)],
            "y": [10 + 2 * (i % 20) + i // 1000 + i % 4 for i in range(2000)]}
    columns = {"x": vn.Column("integer", bounds=(0, 19)), "y": vn.Column("integer", bounds=(0, 60)),
               "w": vn.Column("integer", keys=[0, 1], bounds=(0, 1))}
    table = vn.Table(columns, unit="row", data=rows, row_limit=10_000)
    return vn.Catalog(vn.Budget(epsilon=100, delta=1e-6), {"rows": table}, folder=tempfile.mkdtemp())


# Each number misses once in 10^9 runs at most: all are told at this alpha.
def released(asked):
    return vn.release(vn.Study(catalog(), asked, epsilon=20, alpha=1e-9), progress=False)


class Relations(unittest.TestCase):
    def assert_holds(self, row, column, exact):
        low, value, high = (row[name] for name in (f"{column}_low", column, f"{column}_high"))
        self.assertTrue(low <= exact <= high and low <= value <= high, (column, low, value, high, exact))

    def test_a_regression_has_its_coefficients_by_group(self):
        release = released([vn.Regression("line", "rows", y="y", x="x", group_by="w")])
        frame = release["line"].to_pandas()
        self.assertEqual(list(frame["w"]), [0, 1])
        for _, row in frame.iterrows():
            # i % 4 goes with i % 20: by hand, its covariance with x over the variance of x is 5 / 133.
            self.assert_holds(row, "x", 2 + 5 / 133)
            self.assertLess(row["x_high"] - row["x_low"], 0.5)
        self.assertTrue(vn.verify(release.record))

    def test_the_slope_of_a_population_is_planned_by_its_accuracy(self):
        asked = vn.Regression("line", "rows", y="y", x=["x"], covers="population", accuracy={"x": 0.5}, typical_rows=2000)
        self.assertLess(vn.plan(vn.Study(catalog(), asked)).epsilon, 20)

    def test_components_have_the_variances_and_their_shares(self):
        frame = released(vn.Components("parts", "rows", ["x", "y"]))["parts"].to_pandas()
        row = frame.iloc[0]
        self.assertGreater(row["share_1_low"], 0.9)
        self.assertLess(row["variance_2_high"], row["variance_1_low"])

    def test_what_cannot_be_is_refused(self):
        for asked, part in ((vn.Regression("line", "rows", y="y", x=[]), "1 to 8"),
                            (vn.Regression("line", "rows", y="y", x=["x", "w"], covers="population"), "fourth moments"),
                            (vn.Components("parts", "rows", ["x"]), "2 to 9")):
            with self.assertRaisesRegex(vn.InvalidError, part):
                vn.Study(catalog(), asked, epsilon=1)
        with self.assertRaisesRegex(vn.InvalidError, "vn.Regression or vn.Components"):
            vn.Study(catalog(), [("line", "y", "x")], epsilon=1)


if __name__ == "__main__":
    unittest.main()
