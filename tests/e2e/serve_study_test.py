"""`vernier serve`: what a study costs and would look like: rehearsals, other epsilons, targets that are too tight."""
import json
import math
import os
import unittest

from program import FolderTest, run
from server import STUDY, Server, write_root

COUNTS = 'budget = { epsilon = 0.5, delta = 1e-7 }\n\n[[statistic]]\nname = "by region"\nsql = "SELECT region, COUNT(*) AS people FROM people GROUP BY region"\ntypical_rows = 300\n'
PRIVATE = ('budget = { epsilon = 1.0, delta = 1e-7 }\n\n[[statistic]]\nname = "by age"\n'
           'sql = "SELECT age, COUNT(*) AS people, MEDIAN(age) AS middle FROM people GROUP BY age"\n')


class StudyTest(FolderTest):
    def setUp(self):
        super().setUp()
        write_root(".")
        self.server = Server("--root", ".")
        self.addCleanup(self.server.close)

    def rehearsed(self, study=COUNTS, **more):
        return self.server.post("rehearse", {"catalog": "catalog.toml", "study": study, **more})


class Rehearsals(StudyTest):
    def test_19_of_20_dots_lie_within_the_margin_and_are_those_of_the_law(self):
        answer = self.rehearsed().json
        column = answer["statistics"][0]["columns"][0]
        self.assertTrue(answer["invented"] and column["of_law"])
        self.assertEqual((len(column["errors"]), column["within"]), (20, 19))
        self.assertEqual(sum(abs(error) <= column["accuracy"] for error in column["errors"]), 19)
        strict = self.rehearsed("alpha = 0.01\n" + COUNTS).json["statistics"][0]["columns"][0]
        self.assertEqual((len(strict["errors"]), strict["within"]), (100, 99))

    def test_outcomes_are_drawn_from_the_law_of_the_plan(self):
        """Chi-square over the noise of 600 numbers and more, at a false-alarm rate of 1e-9."""
        noise = self.server.plan(COUNTS).json["statistics"][0]["releases"][0]
        errors = []
        for _ in range(8):
            made = self.rehearsed(frames=60).json["statistics"][0]
            for frame in made["frames"]:
                errors += [group[0][0] - made["groups"][i]["exact"][0] for i, group in enumerate(frame)]
        self.assertGreater(len(errors), 900)
        ends = [int(self.server.post("law", {"mechanism": noise["mechanism"], "scale": repr(noise["scale"]), "quantile": str(p)}).json["value"])
                for p in (0.1, 0.25, 0.5, 0.75, 0.9)]
        chances = [self.server.post("law", {"mechanism": noise["mechanism"], "scale": repr(noise["scale"]), "cumulative": str(end)}).json["value"] for end in ends]
        parts = [b - a for a, b in zip([0, *chances], [*chances, 1])]
        counts = [sum(low < error <= high for error in errors) for low, high in zip([-math.inf, *ends], [*ends, math.inf])]
        self.assertLess(sum((count - len(errors) * part) ** 2 / (len(errors) * part) for count, part in zip(counts, parts)), 51.1)
        wrong = [sum(low < 1.3 * error <= high for error in errors) for low, high in zip([-math.inf, *ends], [*ends, math.inf])]
        self.assertGreater(sum((count - len(errors) * part) ** 2 / (len(errors) * part) for count, part in zip(wrong, parts)), 10)

    def test_every_kind_of_figure_is_rehearsed_and_groups_that_pass_seldom_are(self):
        made = self.rehearsed(STUDY, sizes="zipf", values="middle").json["statistics"]
        means = next(column for column in made[0]["columns"] if column["column"] == "age")
        self.assertFalse(means["of_law"])
        self.assertEqual(len(means["errors"]), 20)
        self.assertGreaterEqual(means["within"], 15)
        for frame in made[0]["frames"]:
            for i, group in enumerate(frame):
                value, low, high = group[1]
                self.assertTrue(low <= value <= high and 0 <= low and high <= 99, (i, group))
        private = self.rehearsed(PRIVATE).json["statistics"][0]
        seen = [sum(frame[i][0] is not None for frame in private["frames"]) for i in range(len(private["groups"]))]
        self.assertLess(min(seen), 5)
        self.assertEqual(max(seen), 30)

    def test_no_data_is_opened_and_nothing_spent(self):
        os.unlink("people.csv")
        self.assertEqual(self.rehearsed().status, 200)
        self.assertEqual(self.server.plan(COUNTS).status, 200)
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_what_cannot_be_is_refused(self):
        for more in ({"frames": 0}, {"frames": 61}, {"frames": "many"}, {"sizes": "large"}, {"values": 3}, {"seed": 1}):
            self.assertEqual(self.rehearsed(**more).status, 400, more)
        self.assertEqual(self.rehearsed("nonsense").status, 400)


class Targets(StudyTest):
    def too_tight(self, study=STUDY):
        return self.server.plan(study, edit={"kind": "accuracy", "statistic": "all", "column": "people", "accuracy": "2"})

    def test_an_impossible_accuracy_is_answered_with_the_epsilon_that_would_do(self):
        answer = self.too_tight()
        self.assertEqual(answer.status, 422)
        told = answer.json
        needs = told["needs"]["epsilon"]
        self.assertIn("need epsilon", told["error"]["sentence"])
        self.assertEqual(told["culprit"], {"statistic": "all", "column": "people"})
        study = STUDY.replace("people = 40", "people = 2")
        self.assertEqual(self.server.plan(study.replace("epsilon = 0.5", f"epsilon = {needs * 1.000001}")).status, 200)
        self.assertEqual(self.server.plan(study.replace("epsilon = 0.5", f"epsilon = {needs * 0.99}")).status, 422)
        self.assertGreaterEqual(float(told["needs"]["shown"]), needs)

    def test_the_best_that_can_be_had_can_be_had_and_a_tenth_less_cannot(self):
        best = self.too_tight().json["best"]
        self.assertEqual((best["statistic"], best["column"]), ("all", "people"))
        self.assertEqual(self.server.plan(edit={"kind": "accuracy", **best}).status, 200)
        tighter = {"kind": "accuracy", **best, "accuracy": str(int(float(best["accuracy"]) * 0.85))}
        self.assertEqual(self.server.plan(edit=tighter).status, 422)

    def test_other_mistakes_have_no_such_answer(self):
        told = self.server.plan(STUDY.replace("COUNT(*)", "NONSENSE(*)")).json
        self.assertNotIn("needs", told)

    def test_points_of_other_epsilons_are_those_of_the_program(self):
        self.file("study.toml", STUDY)
        listed = self.server.post("what-if", {"catalog": "catalog.toml", "study": STUDY, "epsilons": ["0.2", "0.5", 0.8]})
        told = json.loads(run("plan", "study.toml", "--catalog", "catalog.toml", "--what-if", "epsilon=0.2:0.8:3", "--json").stdout)
        for point, other in list(zip(listed.json["what_if"], told["what_if"]))[::2]:  # 0.8 and the last of a grid differ by a unit in the last place
            for statistic, same in zip(point["accuracies"], other["accuracies"], strict=True):
                self.assertEqual(statistic.keys(), same.keys())
                for column, accuracy in statistic.items():
                    self.assertAlmostEqual(accuracy, same[column], delta=1e-13 * same[column])
        for epsilons in ([], ["x"], "1", [1] * 42, [-1]):
            self.assertEqual(self.server.post("what-if", {"catalog": "catalog.toml", "study": STUDY, "epsilons": epsilons}).status, 400, epsilons)

    def test_a_study_is_checked_as_a_whole(self):
        good = self.server.post("study/check", {"catalog": "catalog.toml", "study": STUDY}).json
        self.assertEqual((good["holds"], [one["name"] for one in good["statistics"]]), (True, ["by region", "all"]))
        self.assertEqual(good["statistics"][0]["keys"], ["region"])
        bad = self.server.post("study/check", {"catalog": "catalog.toml", "study": STUDY.replace("COUNT(*)", "COUNTS(*)")}).json
        self.assertEqual((bad["holds"], len(bad["problems"])), (False, 2))
        self.assertTrue(all(one["line"] > 0 for one in bad["problems"]))


if __name__ == "__main__":
    unittest.main()
