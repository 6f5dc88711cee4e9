"""`vernier compose` as a user runs it. Usage: compose_test.py PROGRAM"""
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import ProgramTest, compose

METHODS = ["basic", "advanced", "optimal", "zcdp", "rdp", "loss-distribution", "closed-form"]
KEYS = ["epsilon", "delta", "method", "why_apart", "neighbours", "methods", "events"]
KEYS_OF_A_SCALE = ["scale", "epsilon", "delta", "guarantee", "method", "neighbours", "methods", "events"]
ONE_OF_EACH = ["laplace,scale=20", "geometric,scale=20,sensitivity=2", "gaussian,scale=20", "discrete-gaussian,scale=10",
               "laplace,scale=20,sampling=0.1", "pure,epsilon=0.1,times=3", "approximate,epsilon=0.1,delta=1e-8",
               "zcdp,rho=0.001", "key-selection,noise=geometric,scale=2,threshold=60,groups=3"]


class FolderTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, content=""):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path


class Answers(ProgramTest):
    def test_the_least_scale_of_whole_noise_is_taken_as_it_is_written(self):
        self.assertGreaterEqual(self.json(*compose("geometric,scale=0.001", delta="0"))["epsilon"]["upper"], 1000)

    def test_ends_that_are_far_apart_have_a_reason(self):
        close = self.json(*compose("laplace,scale=20,times=3", delta="1e-6"))
        self.assertNotIn("why_apart", close)
        apart = self.json(*compose("zcdp,rho=0.1", delta="1e-6"))
        self.assertIn("A zCDP statement fits many releases", apart["why_apart"])

    def test_gaussians_compose_exactly(self):
        for times, exact in ((1, 0.189213), (100, 2.254085), (10000, 35.566344)):
            answer = self.json(*compose(f"gaussian,scale=20,times={times}", delta="1e-6"))
            self.assertAlmostEqual(answer["epsilon"]["upper"], exact, delta=1e-6)
            self.assertLess(answer["epsilon"]["upper"] / answer["epsilon"]["lower"] - 1, 1e-9)
            self.assertEqual((answer["delta"], answer["method"]), (1e-6, "closed-form"))

    def test_the_ends_are_less_than_a_thousandth_apart(self):
        for event in ("laplace,scale=20,times=10000", "geometric,scale=20,times=100", "discrete-gaussian,scale=20,times=100",
                      "gaussian,scale=1,sampling=0.01,times=1000", "laplace,scale=20"):
            for delta in ("1e-6", "1e-30"):
                epsilon = self.json(*compose(event, delta=delta))["epsilon"]
                self.assertLessEqual(epsilon["lower"], epsilon["upper"])
                self.assertLess(epsilon["upper"] - epsilon["lower"], 1e-3 * epsilon["upper"], (event, delta))

    def test_json_has_these_keys(self):
        answer = self.json(*compose(*ONE_OF_EACH, delta="1e-6"))
        self.assertEqual(list(answer), KEYS)
        self.assertEqual(list(answer["epsilon"]), ["upper", "lower"])
        self.assertEqual(list(answer["methods"]), METHODS)
        self.assertEqual(answer["delta"], 1e-6)
        self.assertEqual(answer["neighbours"], "add-remove")
        self.assertIn(answer["method"], METHODS)
        self.assertIsNone(answer["methods"]["closed-form"])
        answer = self.json(*compose(*ONE_OF_EACH, epsilon="1"))
        self.assertEqual((list(answer), answer["epsilon"]), (KEYS, 1))
        self.assertEqual(list(answer["delta"]), ["upper", "lower"])

    def test_the_answer_is_the_best_of_the_methods(self):
        for stated in ({"delta": "1e-6"}, {"epsilon": "0.9"}):
            for events in (ONE_OF_EACH, ["laplace,scale=20,times=100"], ["zcdp,rho=0.1"], ["pure,epsilon=0.1,times=9"],
                           ["key-selection,noise=geometric,scale=2,threshold=40,groups=3", "geometric,scale=10,times=5"]):
                answer = self.json(*compose(*events, **stated))
                found = answer["epsilon" if "delta" in stated else "delta"]["upper"]
                proven = [figure for figure in answer["methods"].values() if figure is not None]
                self.assertLessEqual(found, min(proven) * (1 + 1e-8), (events, stated))
                self.assertEqual(found, answer["methods"][answer["method"]], (events, stated))

    def test_events_are_echoed(self):
        events = self.json(*compose(*ONE_OF_EACH, delta="1e-6"))["events"]
        self.assertEqual(events[0], {"mechanism": "laplace", "scale": 20, "sensitivity": 1, "times": 1})
        self.assertEqual(events[4], {"mechanism": "laplace", "scale": 20, "sensitivity": 1, "sampling": 0.1, "times": 1})
        self.assertEqual(events[5], {"mechanism": "pure", "epsilon": 0.1, "times": 3})
        self.assertEqual(events[6], {"mechanism": "approximate", "epsilon": 0.1, "delta": 1e-8, "times": 1})
        self.assertEqual(events[7], {"mechanism": "zcdp", "rho": 0.001, "times": 1})
        self.assertEqual(events[8], {"mechanism": "key-selection", "noise": "geometric", "scale": 2, "threshold": 60,
                                     "groups": 3, "times": 1})
        alias = self.json(*compose("discrete-laplace,scale=3", epsilon="1"))["events"]
        self.assertEqual(alias[0]["mechanism"], "geometric")

    def test_epsilon_and_delta_are_ways_back_from_each_other(self):
        for event in ("laplace,scale=20,times=100", "gaussian,scale=20,times=100", "geometric,scale=5,times=30"):
            epsilon = self.json(*compose(event, delta="1e-6"))["epsilon"]
            delta = self.json(*compose(event, epsilon=repr(epsilon["upper"])))["delta"]
            self.assertLessEqual(delta["lower"], 1e-6)
            self.assertAlmostEqual(delta["upper"] / 1e-6, 1, delta=1e-2)

    def test_a_tighter_answer_can_be_asked(self):
        gap = {}
        for tightness in ("1e-3", "1e-7"):
            answer = self.json(*compose("laplace,scale=20,times=100", "gaussian,scale=20", delta="1e-6", tightness=tightness))
            epsilon = answer["epsilon"]
            gap[tightness] = (epsilon["upper"] - epsilon["lower"]) / epsilon["upper"]
            self.assertLessEqual(gap[tightness], float(tightness))
        self.assertLess(gap["1e-7"], gap["1e-3"])

    def test_replace_is_part_of_the_answer(self):
        one = self.json(*compose("laplace,scale=20,times=5,neighbours=replace", delta="1e-6"))
        all_at_once = self.json(*compose("laplace,scale=20,times=5", delta="1e-6", neighbours="replace"))
        self.assertEqual(one, all_at_once)
        self.assertEqual(one["neighbours"], "replace")

    def test_decimals_are_read_toward_safety(self):
        epsilon = self.json(*compose("pure,epsilon=0.1", delta="0"))["epsilon"]
        self.assertGreaterEqual(epsilon["upper"], 0.1)
        self.assertLess(epsilon["lower"], 0.1)  # as a double 0.1 is above the decimal
        self.assertIn('"delta":9.9999999999999995e-07,', self.text(*compose("laplace,scale=3", delta="1e-6"), "--json"))

    def test_a_person_reads_figures_and_a_sentence(self):
        text = self.text(*compose("laplace,scale=20,times=100", "gaussian,scale=30", delta="1e-6"))
        self.assertRegex(text, r"(?m)^event 1 +laplace +scale 20, sensitivity 1, 100 times$")
        self.assertRegex(text, r"(?m)^neighbours +add-remove ")
        self.assertRegex(text, r"(?m)^epsilon +\d[\d.]+ +found, rounded up$")
        self.assertRegex(text, r"(?m)^epsilon, at least +\d")
        self.assertRegex(text, r"(?m)^gap +[\de.-]+ %")
        self.assertRegex(text, r"(?m)^zcdp +[\d.]+ +[\d.]+ % more$")
        self.assertRegex(text, r"\nThe 101 releases together have epsilon [\d.]+ at delta 1e-06\.\n\Z")
        self.assertEqual([line for line in text.splitlines() if line != line.rstrip()], [])


class Files(FolderTest):
    def test_thousands_of_events_come_from_a_file(self):
        lines = ["# scale by scale"] + [f"laplace,scale={20 + i / 100}   # {i}" for i in range(2000)]
        path = self.file("events.txt", "\n".join(lines))
        answer = self.json(*compose(events=path, delta="1e-6"))
        self.assertEqual(len(answer["events"]), 2000)
        self.assertLess(answer["epsilon"]["upper"] / answer["epsilon"]["lower"] - 1, 1e-3)
        self.assertIn("more events", self.text(*compose(events=path, delta="1e-6")))

    def test_errors_name_file_and_line(self):
        path = self.file("events.txt", "laplace,scale=1\n\n# all well so far\nlaplace,scael=1\n")
        self.assert_refused(compose(events=path, delta="1e-6"), saying=f"in line 4 of '{path}': the key 'scael'")
        self.assert_refused(compose(events=self.file("empty.txt"), delta="1e-6"), saying="there is no event")
        self.assert_refused(compose(events=path + ".no", delta="1e-6"), code=1, saying="cannot be read")
        self.assert_refused(compose(events=self.folder, delta="1e-6"), code=1, saying="cannot be read")


class Solving(ProgramTest):
    def test_twenty_laplace_queries_are_one_command(self):
        answer = self.json(*compose("laplace,times=20", epsilon="1", delta="1e-4", solve="scale"))
        self.assertEqual(list(answer), KEYS_OF_A_SCALE)
        self.assertEqual((answer["epsilon"], answer["delta"]), (1, 1e-4))
        self.assertLessEqual(answer["guarantee"]["delta"]["upper"], 1e-4)
        self.assertLessEqual(answer["guarantee"]["epsilon"]["upper"], 1)
        self.assertEqual(min(filter(None, answer["methods"].values())), answer["guarantee"]["epsilon"]["upper"])
        self.assertEqual(answer["events"][0]["scale"], answer["scale"])
        self.assertLess(answer["scale"], 20)  # what basic composition needs
        below = compose(f"laplace,times=20,scale={answer['scale'] * 0.999!r}", epsilon="1")
        self.assertGreater(self.json(*below)["delta"]["lower"], 1e-4)

    def test_the_scale_is_met_and_not_much_less_is(self):
        for mechanism in ("laplace", "geometric", "gaussian", "discrete-gaussian"):
            answer = self.json(*compose(f"{mechanism},times=7", "pure,epsilon=0.1", epsilon="1", delta="1e-6", solve="scale"))
            for factor, holds in ((1, True), (0.99, False)):
                at = compose(f"{mechanism},times=7,scale={answer['scale'] * factor!r}", "pure,epsilon=0.1", epsilon="1")
                self.assertEqual(self.json(*at)["delta"]["upper"] <= 1e-6, holds, (mechanism, factor))

    def test_one_gaussian_is_calibrated(self):
        composed = self.json(*compose("gaussian", epsilon="1", delta="1e-6", solve="scale"))["scale"]
        self.assertAlmostEqual(composed / 4.224678889, 1, delta=2e-9)

    def test_pure_guarantees_have_delta_0(self):
        answer = self.json(*compose("laplace,times=20", epsilon="1", delta="0", solve="scale"))
        self.assertAlmostEqual(answer["scale"], 20, delta=1e-7)
        self.assertEqual(answer["guarantee"]["delta"]["upper"], 0)

    def test_a_person_reads_the_scale(self):
        text = self.text(*compose("laplace,times=20", epsilon="1", delta="1e-4", solve="scale"))
        self.assertRegex(text, r"(?m)^scale +\d+\.\d+ +found, rounded up")
        self.assertIn("The 20 releases together have epsilon 1 at delta 1e-04.\n", text)

    def test_what_cannot_be_solved_is_said(self):
        both = {"epsilon": "1", "delta": "1e-4", "solve": "scale"}
        self.assert_refused(compose("laplace,scale=3", **both), saying="nothing to find")
        self.assert_refused(compose("laplace", epsilon="1", solve="scale"), saying="--delta is missing")
        self.assert_refused(compose("laplace", delta="1e-4", solve="scale"), saying="--epsilon is missing")
        self.assert_refused(compose("laplace", epsilon="1", delta="1e-4", solve="times"), saying="--solve scale")
        self.assert_refused(compose("laplace", "pure,epsilon=2", **both), saying="no scale up to")
        self.assert_refused(compose("gaussian", epsilon="1", delta="0", solve="scale"), saying="no scale up to")
        self.assert_refused(compose("key-selection,noise=geometric,threshold=60,groups=1", "laplace", **both),
                            saying="the key scale is missing")


class Plots(FolderTest):
    def names(self, *words):
        path = os.path.join(self.folder, "curve.svg")
        self.assertIn(f"is drawn in {path}", self.text(*words, "--plot", path))
        root = xml.parse(path).getroot()
        os.remove(path)  # nothing is drawn over
        for element in root.iter():
            self.assertNotRegex((element.get("d") or "") + (element.get("cx") or ""), "nan|inf", words)
        texts = {text.strip() for text in root.itertext()}
        self.assertLessEqual({"epsilon", "delta", "Delta against epsilon"}, texts)
        return texts & {"upper", "lower", "zCDP", "the answer"}

    def test_both_ends_and_the_answer_are_drawn(self):
        whole = {"upper", "lower", "zCDP", "the answer"}
        for event in ("laplace,scale=20,times=100", "gaussian,scale=20,times=10", "geometric,scale=20,times=10"):
            self.assertEqual(self.names(*compose(event, delta="1e-6")), whole)
        self.assertEqual(self.names(*compose("laplace,scale=20,times=100", epsilon="2")), whole)
        self.assertEqual(self.names(*compose("laplace,times=20", epsilon="1", delta="1e-4", solve="scale")), whole)

    def test_extremes_can_be_drawn(self):
        for words in (compose("laplace,scale=20", delta="0"), compose("laplace,scale=1e6", delta="0.4"),
                      compose("gaussian,scale=1", delta="1e-300"), compose("pure,epsilon=1", epsilon="5")):
            self.names(*words)

    def test_what_cannot_be_written_is_said(self):
        self.assert_refused(compose("laplace,scale=1", delta="1e-6", plot="curve.png"), saying=".svg")
        missing = os.path.join(self.folder, "missing", "curve.svg")
        self.assert_refused(compose("laplace,scale=1", delta="1e-6", plot=missing), code=1, saying="cannot be written")


class Refusals(ProgramTest):
    EVENTS = {
        "": "an event begins with its kind",
        ",scale=1": "an event begins with its kind",
        "laplas,scale=1": "did you mean laplace?",
        "cauchy,scale=1": "the kind 'cauchy' is unknown",
        "laplace": "an event has no scale",
        "laplace,": "must be KEY=VALUE",
        "laplace,20": "must be KEY=VALUE",
        "laplace,scale=1,scale=2": "the key scale is given more than once",
        "laplace,scael=1": "did you mean scale?",
        "laplace,scale=1,rho=1": "the key 'rho' is unknown",
        "pure": "the key epsilon is missing",
        "approximate,epsilon=1": "the key delta is missing",
        "zcdp": "the key rho is missing",
        "laplace,scale=wide": "scale must be a decimal number",
        "laplace,scale=-1": "scale must not be negative",
        "laplace,scale=0": "the scale must be a positive number",
        "laplace,scale=nan": "scale must be a decimal number",
        "laplace,scale=1,times=-1": "times must be a whole number",
        "laplace,scale=1,times=0": "times must be a whole number",
        "laplace,scale=1,times=1.5": "times must be a whole number",
        "laplace,scale=1,times=1e10": "times must be a whole number",
        "laplace,scale=1,sampling=0": "the sampling rate must be above 0 and at most 1",
        "laplace,scale=1,sampling=1.1": "the sampling rate must be above 0 and at most 1",
        "laplace,scale=1,sampling=0.1,neighbours=replace": "add-remove only",
        "zcdp,rho=1,sampling=0.1": "a zCDP statement says nothing about a sampled release",
        "laplace,scale=1,neighbours=other": "neighbours must be add-remove or replace",
        "approximate,epsilon=1,delta=1": "delta must be 0 or a number",
        "geometric,scale=1,sensitivity=0.5": "sensitivity must be a whole number",
        "key-selection,noise=gaussian,scale=1,threshold=9,groups=1": "noise must be geometric or discrete-gaussian",
    }

    def test_events_that_are_none(self):
        for event, saying in self.EVENTS.items():
            self.assert_refused(compose(event, delta="1e-6"), saying=saying)
            self.assert_refused(compose("laplace,scale=1", event, delta="1e-6"), saying=saying)

    def test_too_much_or_too_little(self):
        self.assert_refused(["compose", "--delta", "1e-6"], saying="there is no event")
        self.assert_refused(["compose", "--delta", "1e-6", "--event"], saying="--event needs a value")
        self.assert_refused(["compose", "laplace,scale=1", "--delta", "1e-6"], saying="is not understood")
        self.assert_refused(compose("laplace,scale=1"), saying="nothing is asked")
        self.assert_refused(compose("laplace,scale=1", epsilon="1", delta="1e-6"), saying="leave nothing to find")

    def test_numbers_out_of_their_range(self):
        for delta in ("1", "0.6", "1.5", "-1e-6", "1e-301", "small", "nan"):
            self.assert_refused(compose("laplace,scale=1", delta=delta), saying="delta")
        for epsilon in ("0", "-1", "1e5", "inf"):
            self.assert_refused(compose("laplace,scale=1", epsilon=epsilon), saying="epsilon")
        for tightness in ("0", "1", "1e-12", "tight"):
            self.assert_refused(compose("laplace,scale=1", delta="1e-6", tightness=tightness), saying="tightness")
        self.assert_refused(compose("laplace,scale=1", delta="1e-6", neighbours="all"), saying="--neighbours must be")

    def test_relations_do_not_mix(self):
        self.assert_refused(compose("laplace,scale=1", "laplace,scale=1,neighbours=replace", delta="1e-6"), saying="replace")
        self.assert_refused(compose("laplace,scale=1,neighbours=add-remove", "gaussian,scale=1", delta="1e-6",
                                    neighbours="replace"), saying="replace")

    def test_what_no_epsilon_has_or_cannot_be_certified_is_said(self):
        self.assert_refused(compose("gaussian,scale=1", delta="0"))
        self.assert_refused(compose("gaussian,scale=1", "laplace,scale=1", delta="0"))
        self.assert_refused(compose("approximate,epsilon=1,delta=0.01", delta="1e-6"))
        self.assert_refused(compose("gaussian,scale=1e-99,sensitivity=1e99,times=2", delta="1e-6"), saying="noise")


class Help(ProgramTest):
    def test_every_example_of_the_help_runs(self):
        text = self.text("compose", "--help")
        commands = [line.split()[1:] for line in text.split("Example:")[1].splitlines() if line]
        self.assertGreaterEqual(len(commands), 4)
        with tempfile.TemporaryDirectory() as folder:
            for words in commands:
                self.text(*(os.path.join(folder, word) if word.endswith(".svg") else word for word in words))
        self.assertIn("vernier compose", self.text("--help"))


if __name__ == "__main__":
    unittest.main()
