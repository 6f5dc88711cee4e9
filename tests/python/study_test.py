"""vn.Study and vn.plan: what is asked, what it will cost, by the words of the command line."""
import json
import os
import pathlib
import pickle
import subprocess
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import numpy

import vernier as vn


def files(study):
    """The study as two files; the path of its own."""
    folder = pathlib.Path(survey.folder())
    (folder / "catalog.toml").write_text(study.catalog.to_toml())
    (folder / "study.toml").write_text(study.to_toml())
    return folder / "study.toml"


def by_the_command_line(*words):
    return subprocess.run([sys.executable, "-m", "vernier", *map(str, words)], text=True, capture_output=True, check=False)


class Studies(unittest.TestCase):
    def test_every_key_of_a_study_has_its_word(self):
        all_keys = vn.Statistic("regions", "SELECT region, COUNT(*) AS people, SUM(age) AS age FROM people GROUP BY region",
                                accuracy={"people": 50}, weight=2, max_groups=1, max_rows=2, typical_rows=300, covers="sample",
                                guaranteed=False, simultaneous=False, denoise="least-risk", differences=[("north", "south")],
                                clamped_share=True)
        made = survey.study(statistics=[all_keys], epsilon=2)
        self.assertEqual(made.statistics, ["regions"])
        columns = [one["column"] for one in vn.plan(made).statistics[0]["releases"]]
        self.assertEqual(columns, ["people", "age", "age_clamped"])

    def test_it_says_what_its_file_would_say(self):
        made = vn.Study(survey.catalog(), [survey.BY_REGION], epsilon=0.1, alpha="0.10", name="study")
        path = files(made)
        again = vn.Study.read(path)
        self.assertEqual((again.name, again.statistics, again.path), ("study", ["regions"], path))
        theirs = json.loads(by_the_command_line("plan", path, "--json").stdout)
        ours, read = vn.plan(made).to_dict(), vn.plan(path).to_dict()
        self.assertEqual((read, theirs["alpha"]), (theirs, 0.1))
        self.assertNotEqual(ours["ledger"].pop("file"), theirs["ledger"].pop("file"))
        self.assertEqual(ours, theirs)

    def test_sentences_have_no_place_where_there_is_no_file(self):
        catalog = survey.catalog()
        for statistic, said in ((vn.Statistic("x", "SELECT agee FROM people"), "agee"), (vn.Statistic("", "SELECT 1"), "name"),
                                (vn.Statistic("x", "SELECT COUNT(*) AS n FROM people", accuracy={"m": 1}), "m"),
                                (vn.Statistic("x", "SELECT COUNT(*) AS n FROM people", covers="all"), "covers")):
            with self.subTest(said=said), self.assertRaises(vn.InvalidError) as raised:
                vn.Study(catalog, [statistic], epsilon=1)
            self.assertIn(said, str(raised.exception))
            self.assertNotIn("<study>", str(raised.exception))
            self.assertNotRegex(str(raised.exception), r"^\S*:\d+:\d+: ")

    def test_a_file_is_named_with_its_line(self):
        path = files(survey.study())
        path.write_text(path.read_text().replace("COUNT(*)", "CUONT(*)"))
        with self.assertRaisesRegex(vn.InvalidError, r"study.toml:6:\d+: "):
            vn.Study.read(path)

    def test_wrong_kinds_of_parts_are_refused(self):
        catalog = survey.catalog()
        for make in (lambda: vn.Study(1, [survey.COUNT]), lambda: vn.Study(catalog, 5), lambda: vn.Study(catalog, []),
                     lambda: vn.Study(catalog, ["SELECT 1"]), lambda: vn.Study(catalog, [survey.COUNT]),
                     lambda: vn.Study(catalog, [survey.COUNT], epsilon=[1]), lambda: vn.Study(catalog, [survey.COUNT], epsilon=1, name=3),
                     lambda: vn.Study(catalog, [survey.COUNT], epsilon=float("nan")), lambda: vn.plan(3), lambda: vn.plan(None),
                     lambda: vn.Study(catalog, [survey.COUNT], epsilon=1, alpha=2), lambda: vn.Study.read(files(survey.study()), catalog=3)):
            with self.assertRaises(vn.InvalidError):
                make()


class WhichCatalogCounts(unittest.TestCase):
    def test_only_the_one_that_is_given(self):
        path = files(survey.study())
        catalog = path.parent / "catalog.toml"
        self.assertEqual(vn.Study.read(path, catalog=catalog).catalog.path, catalog)
        other = path.parent / "other.toml"
        other.write_text(catalog.read_text())
        for missing in (False, True):
            with self.assertRaisesRegex(vn.InvalidError, "names the catalog '.*catalog.toml', but only '.*other.toml' counts"):
                vn.Study.read(path, catalog=vn.Catalog.read(other))
            if not missing:
                catalog.unlink()
        path.write_text(path.read_text().replace('catalog = "catalog.toml"\n', ""))
        self.assertEqual(vn.Study.read(path, catalog=other).catalog.path, other)
        with self.assertRaisesRegex(vn.InvalidError, "catalog"):
            vn.Study.read(path)

    def test_those_of_the_installation(self):
        path, elsewhere = files(survey.study()), survey.folder()
        with unittest.mock.patch.dict(os.environ, {"VERNIER_CATALOGS": str(path.parent)}):
            vn.Study.read(path)
            with self.assertRaisesRegex(vn.FailedError, "the catalog '.*<catalog>' cannot be found"):
                survey.study()  # made by a program
        with unittest.mock.patch.dict(os.environ, {"VERNIER_CATALOGS": str(elsewhere)}):
            with self.assertRaisesRegex(vn.InvalidError, "is not one of this installation"):
                vn.Study.read(path)


class Plans(unittest.TestCase):
    def test_it_reads_no_data_and_spends_nothing(self):
        made = survey.study(data=None, epsilon=1)
        self.assertAlmostEqual(vn.plan(made).epsilon, 1)
        self.assertEqual(os.listdir(os.path.dirname(made.catalog._located[0])), [])

    def test_its_properties_are_those_of_the_command_line(self):
        plan = vn.plan(survey.study(statistics=[survey.BY_REGION], epsilon=2), what_if="0.5:2:3")
        stated = plan.to_dict()
        self.assertEqual((plan.study, plan.epsilon, plan.delta, plan.method, plan.alpha),
                         (stated["study"], *(stated["guarantee"][key] for key in ("epsilon", "delta", "method")), stated["alpha"]))
        self.assertEqual(plan.accuracies["regions"]["people"], stated["statistics"][0]["releases"][0]["accuracy"])
        self.assertTrue(plan.affordable)
        self.assertEqual(plan.ledger["amounts"][0]["allowed"], 1000)
        self.assertEqual([one["epsilon"] for one in plan.what_if], [0.5, 1, 2])
        self.assertIn("± ", repr(plan))
        self.assertIn("<table>", plan._repr_html_())

    def test_what_if_takes_numbers_and_ranges(self):
        made = survey.study(epsilon=1)
        for what_if, epsilons in (([0.5, 2], [0.5, 2]), (numpy.array([0.5, 1]), [0.5, 1]), (0.25, [0.25]), ("epsilon=1:4:3", [1, 2, 4]),
                                  ("0.5", [0.5]), ([], [])):
            self.assertEqual([one["epsilon"] for one in vn.plan(made, what_if=what_if).what_if], epsilons)
        for wrong in ("a", [True], [[1]], "1:2", ["1:2:3", 1], [-1], range(1, 102), object()):
            with self.subTest(wrong=wrong), self.assertRaises(vn.InvalidError):
                vn.plan(made, what_if=wrong)

    def test_the_analyst_has_a_share(self):
        catalog = vn.Catalog(vn.Budget(epsilon=1, shares={"anna": 0.5}), {"people": vn.Table(survey.COLUMNS, unit="id")}, folder=survey.folder())
        made = vn.Study(catalog, [survey.COUNT], epsilon=0.7)
        self.assertFalse(vn.plan(made, analyst="anna").affordable)
        with self.assertRaises(vn.Error):
            vn.plan(made, analyst="nobody")
        with self.assertRaises(vn.InvalidError):
            vn.plan(made, analyst=3)

    def test_it_is_drawn(self):
        survey.need(self, "matplotlib")
        drawn = vn.plan(survey.study(statistics=[survey.BY_REGION], epsilon=1), what_if=[0.5, 1, 2]).plot()
        curves = [line for line in drawn.lines if list(line.get_xdata()) == [0.5, 1, 2]]
        self.assertEqual(len(curves), 2)

    def test_studies_and_plans_are_pickled(self):
        made = survey.study(epsilon=1)
        again = pickle.loads(pickle.dumps(made))
        self.assertEqual((again.to_toml(), repr(again)), (made.to_toml(), repr(made)))
        plan = vn.plan(made)
        self.assertEqual(pickle.loads(pickle.dumps(plan)).to_dict(), plan.to_dict())


if __name__ == "__main__":
    unittest.main()
