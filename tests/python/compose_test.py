"""vn.compose: the figures of `vernier compose`, from Python's values."""
import concurrent.futures
import decimal
import fractions
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import types
import unittest

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy

import vernier as vn


def printed(*words):
    done = subprocess.run([sys.executable, "-m", "vernier", "compose", *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Figures(unittest.TestCase):
    def test_they_are_those_of_the_command_line(self):
        questions = [
            (["gaussian,scale=20,times=100"], {"delta": 1e-6}, ["--delta", "1e-6"]),
            (["laplace,scale=20,times=100", "pure,epsilon=0.1"], {"epsilon": 2}, ["--epsilon", "2"]),
            (["zcdp,rho=0.1"], {"delta": "1e-10", "neighbours": "replace", "tightness": 0.001},
             ["--delta", "1e-10", "--neighbours", "replace", "--tightness", "0.001"]),
            (["laplace,times=20"], {"epsilon": 1, "delta": 1e-4, "solve": "scale"},
             ["--epsilon", "1", "--delta", "1e-4", "--solve", "scale"]),
        ]
        for events, keywords, words in questions:
            with self.subTest(events):
                self.assertEqual(vn.compose(events, **keywords).to_dict(), printed(*[w for e in events for w in ("--event", e)], *words))

    def test_an_event_may_be_stated_in_any_form(self):
        calibration = types.SimpleNamespace(mechanism="gaussian", scale=20.0, sensitivity=1)
        forms = ["gaussian,scale=20,times=100", vn.Event("gaussian", scale=20, times=100),
                 {"mechanism": "gaussian", "scale": 20, "times": 100}, vn.Event(calibration, times=100)]
        figures = [vn.compose(form, delta=1e-6).epsilon for form in forms]
        self.assertEqual(figures, figures[:1] * len(forms))
        together = vn.compose([calibration, "gaussian,scale=20,times=99"], delta=1e-6)
        self.assertAlmostEqual(together.epsilon.upper, figures[0].upper, delta=1e-4)
        self.assertEqual(vn.compose(together.events, delta=1e-6).epsilon, together.epsilon)

    def test_events_come_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "events.txt")
            file.write_text("pure,epsilon=0.5 # one\npure,epsilon=0.25\n")
            self.assertEqual(vn.compose(file, delta=0).epsilon.upper, 0.75)
            self.assertEqual(len(vn.compose([file, "pure,epsilon=0.25"], delta=0).events), 3)

    def test_a_float_means_the_decimal_that_it_shows(self):
        numbers = [0.1, "0.1", decimal.Decimal("0.1"), fractions.Fraction(1, 10), numpy.float64(0.1)]
        found = [vn.compose(vn.Event("pure", epsilon=one, times=numpy.int64(7)), delta=0).to_dict() for one in numbers]
        self.assertEqual(found, found[:1] * len(numbers))
        self.assertLess(found[0]["epsilon"]["lower"], found[0]["epsilon"]["upper"])
        self.assertEqual(vn.compose(vn.Event("pure", epsilon=0.125), delta=0).epsilon, vn.Ends(0.125, 0.125))

    def test_the_ends_and_the_methods_agree(self):
        found = vn.compose("gaussian,scale=20,times=100", delta=1e-6)
        self.assertLess(found.epsilon.lower, found.epsilon.upper)
        self.assertEqual(found.epsilon.upper, found.methods[found.method])
        self.assertEqual(float(found.epsilon), found.epsilon.upper)
        self.assertEqual((found.delta, found.neighbours, found.scale, found.guarantee), (1e-6, "add-remove", None, None))

    def test_a_scale_that_was_found_meets_the_budget(self):
        found = vn.compose("gaussian,times=20", epsilon=1, delta=1e-6, solve="scale")
        self.assertLessEqual(found.guarantee["delta"].upper, 1e-6)
        self.assertIn("scale", repr(found))
        again = vn.compose(vn.Event("gaussian", scale=found.scale, times=20), epsilon=1)
        self.assertLessEqual(again.delta.upper, 1e-6)

    def test_threads_get_the_same_figures(self):
        alone = vn.compose("gaussian,scale=20,times=100", delta=1e-6).to_dict()
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: vn.compose("gaussian,scale=20,times=100", delta=1e-6).to_dict(), range(16)))
        self.assertEqual(found, [alone] * 16)


class Looks(unittest.TestCase):
    def setUp(self):
        self.found = vn.compose(["gaussian,scale=20,times=100", "gaussian,scale=30"], delta=1e-6)

    def test_what_is_shown_is_not_below_what_is_proven(self):
        shown = float(repr(self.found).split()[1])
        self.assertGreaterEqual(shown, self.found.epsilon.upper)
        self.assertLess(shown, self.found.epsilon.upper * 1.0001)
        self.assertLessEqual(float(repr(self.found).split()[-1]), self.found.epsilon.lower)

    def test_a_notebook_sees_every_method(self):
        for method in self.found.methods:
            self.assertIn(method, self.found._repr_html_())
            self.assertIn(method, str(self.found))

    def test_it_is_not_made_by_hand(self):
        with self.assertRaisesRegex(vn.InvalidError, "a Composition is what vernier.compose gives back"):
            vn.Composition({}, [])
        with self.assertRaisesRegex(vn.InvalidError, "upper is a str"):
            vn.Ends("1", 2)

    def test_it_pickles(self):
        self.assertEqual(pickle.loads(pickle.dumps(self.found)).to_dict(), self.found.to_dict())

    def test_what_is_given_away_is_a_copy(self):
        self.found.to_dict()["epsilon"]["upper"] = 0
        self.found.events[0]["scale"] = 0
        self.found.methods.clear()
        self.assertGreater(self.found.epsilon.upper, 2)
        self.assertEqual(self.found.events[0]["scale"], 20)
        self.assertTrue(self.found.methods)

    def test_it_draws_the_curve_through_its_answer(self):
        import matplotlib.pyplot

        ax = self.found.plot()
        lines = {line.get_label(): line for line in ax.get_lines()}
        self.assertEqual(set(lines), {"zCDP", "lower", "upper", "the answer"})
        self.assertEqual(lines["the answer"].get_xydata().tolist(), [[self.found.epsilon.upper, 1e-6]])
        upper = lines["upper"].get_xydata()
        self.assertAlmostEqual(numpy.log10(numpy.interp(self.found.epsilon.upper, *upper.T)), -6, delta=0.1)
        self.assertTrue((numpy.diff(upper[:, 1]) < 0).all())
        own = matplotlib.pyplot.figure().subplots()
        self.assertIs(self.found.plot(ax=own), own)
        matplotlib.pyplot.close("all")


class Refusals(unittest.TestCase):
    def test_each_says_what_to_do(self):
        for events, keywords, sentence in [
            ([], {"delta": 1e-6}, "there is no event; give one"),
            ("gaussian,scale=20", {}, "nothing is asked; give delta to learn epsilon, or epsilon to learn delta"),
            ("gaussian,scale=20", {"epsilon": 1, "delta": 1e-6}, 'add solve="scale"'),
            ("gauss,scale=20", {"delta": 1e-6}, "the kind 'gauss' is unknown"),
            ("gaussian,scale=20", {"delta": -1}, "delta"),
            ("gaussian,scale=20", {"delta": float("nan")}, "delta"),
            ("gaussian,scale=20", {"delta": [1]}, "delta is a list; write a number such as 0.5"),
            ("gaussian,scale=20", {"delta": 1e-6, "neighbours": 3}, "neighbours is an int; write a text"),
            (3, {"delta": 1e-6}, "an event is an int; write it as 'gaussian,scale=20,times=100'"),
            ([None], {"delta": 1e-6}, "an event is None"),
            (numpy.array(0.5), {"delta": 1e-6}, "an event is an ndarray"),
            ({"scale": 20}, {"delta": 1e-6}, "a dictionary without a mechanism"),
            ({"mechanism": "pure", "epsilon": True}, {"delta": 1e-6}, "epsilon is a bool"),
            ({"mechanism": "pure", "epsilon": "1,times=5"}, {"delta": 0}, "neither a comma nor = may stand"),
            ({"mechanism": "pure", "epsilon": fractions.Fraction(1, 3)}, {"delta": 0}, "the fraction 1/3, which no decimal"),
            ("--plot=x.svg", {"delta": 1e-6}, "in the event '--plot=x.svg': an event begins with its kind"),
            ("\ud800", {"delta": 1e-6}, "half a character"),
            (pathlib.Path("nowhere.txt"), {"delta": 1e-6}, "nowhere.txt"),
        ]:
            with self.subTest(events=events, keywords=keywords):
                with self.assertRaises(vn.Error) as caught:
                    vn.compose(events, **keywords)
                self.assertIn(sentence, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
