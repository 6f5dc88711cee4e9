"""vn.SeriesStudy: the same numbers at every step of a calendar, from Python."""
import datetime
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import vernier as vn

CATALOG = """[budget]
epsilon = 60.0
delta = 1e-6
[tables.cases]
source = "cases.csv"
unit = "person"
append_only = true
[tables.cases.columns]
person = { type = "integer" }
region = { type = "string", keys = ["north", "south"] }
reported = { type = "date" }
"""
START, END = datetime.date(2027, 1, 1), datetime.date(2027, 1, 20)


def folder_of_cases():
    folder = pathlib.Path(survey.folder())
    rows = "".join(f"{100 * day + i},{'north' if i % 2 else 'south'},2027-01-{day:02}\n" for day in range(1, 6) for i in range(40))
    (folder / "cases.csv").write_text("person,region,reported\n" + rows)
    (folder / "catalog.toml").write_text(CATALOG)
    return folder


def study_in(folder, **words):
    cases = vn.Series("cases", "cases", columns=["region"], day="reported", step="day", start=START, end=END)
    return vn.SeriesStudy(folder / "catalog.toml", [cases], **{"epsilon": 20, "delta": 1e-7, "name": "cases", **words})


class Series(unittest.TestCase):
    def test_is_planned_as_a_whole_and_published_step_by_step(self):
        study = study_in(folder_of_cases())
        plan = study.plan()
        self.assertEqual((len(plan.to_pandas()), plan.reserved), (20, False))
        first, second = (study.release(f"2027-01-0{day}", progress=False) for day in (1, 3))
        self.assertEqual((first.paid, second.paid, second.skipped), (True, False, 1))
        self.assertTrue(study.release(START, progress=False).repeated)
        for row in second.series[0]["rows"]:
            self.assertLess(abs(row["cumulative"]["estimate"] - 60), 6 * row["cumulative"]["accuracy"])
        self.assertTrue(vn.verify([first, second]))
        self.assertEqual(study.plan().published_steps, 3)

    def test_a_file_says_the_same(self):
        folder = folder_of_cases()
        (folder / "cases.toml").write_text(study_in(folder).to_toml())
        read = vn.SeriesStudy.read(folder / "cases.toml")
        self.assertEqual(read.plan().to_dict(), study_in(folder).plan().to_dict())
        with self.assertRaisesRegex(vn.InvalidError, "names the catalog"):
            vn.SeriesStudy.read(folder / "cases.toml", catalog=folder_of_cases() / "catalog.toml")

    def test_what_is_wrong_has_a_sentence(self):
        folder = folder_of_cases()
        with self.assertRaisesRegex(vn.InvalidError, "outside of the series"):
            study_in(folder).release("2028-01-01", progress=False)
        with self.assertRaisesRegex(vn.InvalidError, "step is no day"):
            study_in(folder).release(5, progress=False)
        with self.assertRaisesRegex(vn.InvalidError, "no list of vn.Series"):
            vn.SeriesStudy(folder / "catalog.toml", [])
        study_in(folder).release("2027-01-01", progress=False)
        with self.assertRaisesRegex(vn.InvalidError, "by another plan"):
            study_in(folder, epsilon=10).release("2027-01-02", progress=False)


if __name__ == "__main__":
    unittest.main()
