"""`vernier coverage` as a user runs it. Usage: coverage_test.py PROGRAM

A coverage of 95 % is refuted wrongly with probability 1e-6 at most for each run; the shortfalls that are expected here are
refuted with probability 1 - 1e-9 at least.
"""
import json
import os
import resource
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import FolderTest, run

NORMAL = ["coverage", "--distribution", "normal", "--size", "100"]
LECTURE = ["--interval", "lecture", "--delta", "1e-8"]


def misses_in(picture):
    """How many lines a picture of intervals has, and how many of them in the colour of what is wrong."""
    strokes = [element.get("class", "") for element in xml.fromstring(picture).iter() if "class" in element.attrib]
    return sum("stroke2" in one for one in strokes), sum("stroke6" in one for one in strokes)


class Coverage(FolderTest):
    def test_it_tells_coverage_with_its_interval_and_the_width(self):
        answer = self.json(*NORMAL, "--epsilon", "0.5:2:4", "--simulations", "500")
        self.assertEqual([point["epsilon"] for point in answer["points"]], [0.5, 1, 1.5, 2])
        self.assertFalse(answer["refuted"])
        self.assertEqual((answer["statistic"], answer["covers"], answer["interval"]), ("mean", "sample", "ours"))
        self.assertEqual((answer["simulations"], answer["population"]), (500, 65536))
        for point in answer["points"]:
            self.assertEqual((point["size"], point["alpha"], point["lower"], point["upper"]), (100, 0.05, -4, 4))
            self.assertLessEqual(point["low"], point["coverage"])
            self.assertLessEqual(point["coverage"], point["high"])
            self.assertEqual(point["coverage"], point["holds_sample"])
            self.assertEqual(point["mechanism"], "geometric")
        widths = [point["width"] for point in answer["points"]]
        self.assertEqual(widths, sorted(widths, reverse=True))

    def test_every_statistic_can_be_asked_for_both(self):
        for statistic in ("mean", "count", "sum", "variance", "stddev", "median", "quantile"):
            for covers in ("sample", "population"):
                words = ["--fraction", "0.75"] if statistic == "quantile" else []
                answer = self.json(*NORMAL, "--epsilon", "1", "--simulations", "40", "--statistic", statistic,
                                   "--covers", covers, *words)
                self.assertGreater(answer["points"][0]["coverage"], 0.5, (statistic, covers))
        for covers in ("sample", "population"):
            answer = self.json("coverage", "--distribution", "two-point,share=0.3", "--statistic", "proportion", "--size",
                               "50", "--epsilon", "1", "--simulations", "40", "--covers", covers)
            self.assertGreater(answer["points"][0]["coverage"], 0.5, covers)

    def test_sizes_alphas_and_bounds_can_go_over_a_range_too(self):
        answer = self.json("coverage", "--distribution", "skewed", "--epsilon", "1", "--size", "10:30:3", "--alpha",
                           "0.1:0.2:2", "--upper", "5:15:2", "--simulations", "50")
        seen = [(point["size"], point["alpha"], point["upper"]) for point in answer["points"]]
        self.assertEqual(len(set(seen)), 12)
        self.assertEqual(seen[:4], [(10, 0.1, 5), (20, 0.1, 5), (30, 0.1, 5), (10, 0.2, 5)])

    def test_the_table_has_what_is_swept(self):
        text = self.text(*NORMAL[:-2], "--epsilon", "1", "--size", "10:30:3", "--simulations", "50")
        self.assertRegex(text, r"(?m)^size +coverage +from +to +holds sample +holds population +width$")
        self.assertRegex(text, r"(?m)^  20 +[01]\.\d{4} +[01]\.\d{4} +[01]\.\d{4} +[01]\.\d{4} +[01]\.\d{4} +[\d.]+$")
        self.assertIn("claim: 95 % of the intervals (ours) hold the value of the sample", text)
        self.assertIn("refuted at no point, at a false-alarm rate of 1e-6", text)

    def test_a_claim_that_is_refuted_fails_loudly_after_the_figures(self):
        words = [*NORMAL, *LECTURE, "--epsilon", "20", "--covers", "population"]
        done = run(*words)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Avernier: the claim that 95 % of the intervals hold the value of the population is "
                                      r"refuted: 0\.\d{4} of 1,000 did, [^\n]*\n\Z")
        self.assertRegex(done.stdout, r"(?m) refuted$")
        self.assertNotIn("The claim stands", done.stdout)
        answer = json.loads(run(*words, "--json").stdout)
        self.assertTrue(answer["refuted"] and answer["points"][0]["refuted"])

    def test_it_draws_coverage_and_a_hundred_intervals(self):
        run(*NORMAL, *LECTURE, "--epsilon", "1:20:3", "--covers", "population", "--plot", "cover.svg")
        self.assertIn("epsilon", self.content("cover.svg"))
        held, missed = misses_in(self.content("cover-intervals.svg"))
        self.assertGreater(missed, 20)
        self.assertEqual(held + missed, 102)  # two in the legend

    def test_a_file_is_read_by_its_column(self):
        self.file("people.csv", '"name","age"\n' + "".join(f'"a, {i}",{i % 50}\n' for i in range(500)))
        answer = self.json("coverage", "--data", "people.csv", "--column", "age", "--lower", "0", "--upper", "40",
                           "--size", "50", "--epsilon", "1", "--simulations", "50")
        self.assertEqual(answer["population"], 500)

    def test_relations_of_two_columns_hold_as_often_as_claimed(self):
        for statistic in ("slope", "intercept", "correlation", "covariance"):
            answer = self.json("coverage", "--distribution", "normal", "--statistic", statistic, "--size", "2000",
                               "--epsilon", "1,10", "--simulations", "300")
            self.assertEqual((answer["statistic"], answer["covers"]), (statistic, "sample"))
            self.assertFalse(answer["refuted"], answer)
            first, second = answer["points"]
            self.assertGreater(first["width"], second["width"])  # they say something, and more of it with less noise

    def test_a_relation_of_two_columns_of_a_file(self):
        pairs = [(i % 9, min(20, 2 * (i % 9) + i * 7 % 4)) for i in range(900)]
        self.file("pairs.csv", "x,y\n" + "\n".join(f"{x},{y}" for x, y in pairs) + "\n")
        words = ["coverage", "--data", "pairs.csv", "--column", "y", "--x", "x", "--lower", "0", "--upper", "20", "--x-lower",
                 "0", "--x-upper", "8", "--statistic", "slope", "--size", "500", "--epsilon", "1", "--simulations", "300"]
        answer = self.json(*words)
        self.assertFalse(answer["refuted"])
        self.assertLess(answer["points"][0]["width"], 0.5)
        of_population = self.json(*words, "--covers", "population")
        self.assertFalse(of_population["refuted"])
        self.assertGreater(of_population["points"][0]["width"], answer["points"][0]["width"])
        for statistic in ("correlation", "covariance", "regr_r2"):
            words[words.index("--statistic") + 1] = statistic
            answer = self.json(*words, "--covers", "population")
            self.assertEqual((answer["covers"], answer["refuted"]), ("population", False))
            own = self.json(*words)
            self.assertGreater(answer["points"][0]["width"], own["points"][0]["width"])
        words[words.index("--statistic") + 1] = "intercept"
        self.assert_refused([*words, "--covers", "population"], 2, "about the rows and not about a population")
        self.assert_refused([*NORMAL, "--epsilon", "1", "--x", "x"], 2, "belongs to relations of two columns")

    def test_what_is_wrong_is_told_in_one_sentence(self):
        self.file("people.csv", "age\n1\n2\n")
        data = ["coverage", "--data", "people.csv", "--column", "age", "--size", "5", "--epsilon", "1"]
        for words, saying in [
                (["coverage"], "the values are missing; give --data FILE with --column NAME, or --distribution NAME"),
                (NORMAL, "--epsilon is missing"),
                (["coverage", "--distribution", "normal", "--epsilon", "1"], "--size is missing"),
                (data, "--lower is missing"),
                ([*data, "--lower", "0"], "--upper is missing"),
                ([*data, "--lower", "0", "--upper", "2.5"], "whole multiples of the granularity 1, but 2.5 is none"),
                ([*data, "--distribution", "normal"], "--data and --distribution cannot be given together"),
                (["coverage", "--data", "people.csv"], "the column is missing"),
                (["coverage", "--distribution", "cauchy"], "but it is 'cauchy'"),
                ([*NORMAL, "--epsilon", "1", "--statistic", "mode"], "--statistic must be one of mean, count"),
                ([*NORMAL, "--epsilon", "1", "--statistic", "quantile"], "a quantile needs its fraction"),
                ([*NORMAL, "--epsilon", "1", "--fraction", "0.5"], "--fraction belongs to --statistic quantile"),
                ([*NORMAL, "--epsilon", "1", "--covers", "all"], "--covers must be one of sample, population"),
                ([*NORMAL, "--epsilon", "1", "--guaranteed"], "--guaranteed is for our intervals of the population"),
                ([*NORMAL, "--epsilon", "1", "--interval", "lecture"], "needs a delta above 0"),
                ([*NORMAL, "--epsilon", "1", "--mechanism", "discrete-gaussian"], "needs a delta above 0"),
                ([*NORMAL, *LECTURE, "--epsilon", "1", "--public-count"], "leave --public-count out"),
                ([*NORMAL, "--epsilon", "1", "--simulations", "0"], "--simulations must be from 1"),
                ([*NORMAL, "--epsilon", "0"], "epsilon"),
                ([*NORMAL, "--epsilon", "1", "--alpha", "1"], "alpha"),
                ([*NORMAL, "--epsilon", "1:2"], "FIRST:LAST:POINTS"),
                ([*NORMAL, "--epsilon", "1:2:3", "--alpha", "0.1:0.2:2", "--plot", "a.svg"], "against one number"),
                ([*NORMAL, "--epsilon", "1", "--plot", "a.png"], "must end in .svg"),
                (["coverage", "--distribution", "normal", "--size", "70000", "--epsilon", "1", "--statistic", "count",
                  "--covers", "population"], "no sample of more members can be drawn"),
                ([*NORMAL, "--epsilon", "0.1:1:9000", "--alpha", "0.1:0.2:9"], "there are 81000 points")]:
            with self.subTest(words=words):
                self.assert_refused(words, saying=saying)
        self.assert_refused(["coverage", "--data", "none.csv", "--column", "age", "--size", "5", "--epsilon", "1"], code=1)

    def test_the_help_says_that_nothing_is_protected(self):
        text = self.text("coverage", "--help")
        self.assertIn("read without any protection", text)
        self.assertIn("vernier coverage --distribution normal", text)


class LecturesExperiment(FolderTest):
    """Education bounded to [1, 16], samples of 500, delta 1e-8, alpha 0.05, on the people of `vernier demo`."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        done = run("demo", "--out", os.path.join(cls.folder.name, "demo"))
        assert done.returncode == 0, done.stderr

    def words(self, *more):
        people = os.path.join(self.folder.name, "demo", "people.csv")
        return ["coverage", "--data", people, "--column", "educ", "--lower", "1", "--upper", "16", "--delta", "1e-8", *more]

    def points(self, *words):
        return json.loads(run(*self.words(*words, "--json")).stdout)["points"]

    def test_the_samples_mean_is_held_as_often_as_claimed(self):
        for words in ([], ["--interval", "lecture"], ["--interval", "lecture-analytic"]):
            answer = self.json(*self.words("--size", "500", "--epsilon", "0.1:1:4", *words))
            self.assertFalse(answer["refuted"])
            for point in answer["points"]:
                self.assertGreater(point["coverage"], 0.9)
                self.assertLess(point["coverage"], 0.99)

    def test_the_populations_mean_is_held_less_often_by_the_lecture_and_as_often_as_claimed_by_ours(self):
        words = ["--size", "500", "--epsilon", "0.1:1:4", "--covers", "population"]
        lecture = self.points(*words, "--interval", "lecture", "--simulations", "4000")
        self.assertTrue(lecture[-1]["refuted"])
        self.assertFalse(lecture[0]["refuted"])  # there the noise is far larger than the sampling error
        self.assertLess(lecture[-1]["coverage"], 0.9)
        ours = self.json(*self.words(*words, "--simulations", "4000"))
        self.assertFalse(ours["refuted"])
        self.assertLess(ours["points"][0]["width"], lecture[0]["width"] / 3)  # with the better noise it is even shorter
        for point in self.points(*words, "--guaranteed"):
            self.assertGreater(point["coverage"], 0.95)

    def test_more_rows_do_not_help_the_lecture(self):
        words = ["--epsilon", "0.1", "--covers", "population"]
        lecture = self.points(*words, "--interval", "lecture", "--size", "500:20000:2", "--simulations", "1000")
        self.assertLess(lecture[1]["coverage"], lecture[0]["coverage"])
        self.assertFalse(self.json(*self.words(*words, "--size", "200:1500:4"))["refuted"])

    # The target: less than 5 s. In processor time, since others may use the machine.
    def test_fifty_points_of_a_thousand_simulations_are_quick(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.text(*self.words("--size", "500", "--epsilon", "0.1:1:50", "--covers", "population"))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 10)


if __name__ == "__main__":
    unittest.main()
