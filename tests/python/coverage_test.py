"""vn.coverage: the simulations of `vernier coverage`, from Python's values."""
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy

import vernier as vn
from vernier import _core

UNIFORM = {"distribution": "uniform", "size": 500, "simulations": 200, "epsilon": 1}
LONG = {"distribution": "uniform", "size": 2000, "simulations": 10_000_000, "epsilon": 1}


def frame_of(library):
    try:
        return __import__(library)
    except ImportError:
        raise unittest.SkipTest(f"{library} is not installed") from None


class Answers(unittest.TestCase):
    def test_they_have_the_words_of_the_command_line(self):
        words = ["--distribution", "uniform", "--size", "500", "--epsilon", "1:3:3", "--simulations", "200", "--json"]
        done = subprocess.run([sys.executable, "-m", "vernier", "coverage", *words], capture_output=True, text=True, check=True)
        theirs = json.loads(done.stdout)
        found = vn.coverage(**{**UNIFORM, "epsilon": (1, 3, 3)})
        ours = found.to_dict()
        self.assertEqual({key: value for key, value in ours.items() if key not in ("points", "intervals")},
                         {key: value for key, value in theirs.items() if key not in ("points", "intervals")})
        for mine, other in zip(ours["points"], theirs["points"], strict=True):
            self.assertEqual(mine.keys(), other.keys())
            self.assertEqual([mine[key] for key in ("epsilon", "size", "alpha", "lower", "upper", "mechanism")],
                             [other[key] for key in ("epsilon", "size", "alpha", "lower", "upper", "mechanism")])
        self.assertEqual(len(theirs["intervals"]), 100)
        self.assertEqual((found.statistic, found.covers, found.interval, found.delta, found.simulations, found.population),
                         ("mean", "sample", "ours", 0, 200, 65536))

    def test_a_sweep_is_a_list_or_its_ends(self):
        for epsilon, values in (([0.5, 1, 4], [0.5, 1, 4]), ((1, 3, 3), [1, 2, 3]), ("1:3:3", [1, 2, 3]),
                                (numpy.array([1.0, 2.0]), [1, 2]), (range(1, 3), [1, 2])):
            with self.subTest(epsilon=epsilon):
                found = vn.coverage(**{**UNIFORM, "epsilon": epsilon, "simulations": 20})
                self.assertEqual(found.points["epsilon"].tolist(), values)
        self.assertEqual(len(vn.coverage(distribution="uniform", size=[50, 100], epsilon=[1, 2], simulations=10).points), 4)

    def test_points_are_columns(self):
        found = vn.coverage(**{**UNIFORM, "epsilon": [1, 2]})
        points = found.points
        self.assertTrue(((points["low"] <= points["coverage"]) & (points["coverage"] <= points["high"])).all())
        self.assertEqual(points["mechanism"].tolist(), ["geometric"] * 2)
        self.assertEqual(points["size"].dtype.kind, "i")
        self.assertEqual(points["refuted"].tolist(), [False, False])
        frame_of("pandas")
        self.assertEqual(list(found.to_pandas().columns), list(points.dtype.names))

    def test_the_intervals_hold_what_they_say(self):
        shown = vn.coverage(**UNIFORM).intervals
        self.assertEqual(len(shown), 100)
        self.assertEqual(((shown["low"] <= shown["truth"]) & (shown["truth"] <= shown["high"])).tolist(), shown["holds"].tolist())
        self.assertGreater(shown["holds"].sum(), 70)  # a true claim of 95 % shows fewer in one of 10^15 runs

    def test_a_wrong_claim_is_refuted_and_a_true_one_stands(self):
        wrong = vn.coverage(distribution="uniform", size=500, epsilon=5, delta=1e-8, interval="lecture", covers="population")
        self.assertIs(wrong.refuted, True)
        self.assertIn("refuted", repr(wrong))
        right = vn.coverage(distribution="uniform", size=500, epsilon=5, covers="population")
        self.assertIs(right.refuted, False)
        self.assertTrue(repr(right).splitlines()[0].endswith("stands"))

    def test_flags_reach_the_simulation(self):
        common = {"distribution": "uniform", "size": 200, "epsilon": 1, "simulations": 50}
        width = lambda **more: vn.coverage(**common, **more).points["width"][0]
        self.assertGreater(width(public_count=True), 1.2 * width())  # rows are replaced there, so one moves a sum further
        self.assertGreater(width(covers="population", guaranteed=True), 1.2 * width(covers="population"))
        self.assertLess(width(alpha=0.5), 0.6 * width())
        quantile = vn.coverage(**common, statistic="quantile", fraction=0.9)
        self.assertEqual(quantile.statistic, "quantile")

    def test_it_is_not_made_by_hand(self):
        for kind in (vn.Coverage, vn.Denoising):
            with self.assertRaisesRegex(vn.InvalidError, "is what vernier.coverage gives back"):
                kind({"points": []})

    def test_it_pickles(self):
        found = vn.coverage(**UNIFORM)
        self.assertEqual(pickle.loads(pickle.dumps(found)).to_dict(), found.to_dict())


class Data(unittest.TestCase):
    VALUES = [1, 2, 3, 4] * 25
    KEYWORDS = {"lower": 1, "upper": 4, "size": 50, "epsilon": 1, "simulations": 100, "covers": "population"}

    def holds_mean(self, data, **more):
        found = vn.coverage(data, **self.KEYWORDS, **more)
        self.assertEqual(found.population, 100)
        self.assertEqual(found.intervals["truth"].tolist(), [2.5] * 100)
        return found

    def test_lists_and_arrays_are_taken(self):
        self.holds_mean(self.VALUES)
        self.holds_mean(tuple(self.VALUES))
        for kind in ("int8", "uint64", "float32", "float64", "object"):
            self.holds_mean(numpy.array(self.VALUES, dtype=kind))
        self.holds_mean(numpy.repeat(self.VALUES, 2)[::2])
        self.assertEqual(vn.coverage(numpy.array([True, False] * 50), lower=0, upper=1, size=50, epsilon=1, simulations=10,
                                     statistic="proportion").population, 100)

    def test_what_is_missing_is_left_out(self):
        self.holds_mean([*self.VALUES, None, float("nan")])

    def test_columns_of_pandas_are_taken(self):
        pandas = frame_of("pandas")
        column = pandas.Series(self.VALUES, name="educ")
        self.assertIn("educ", repr(self.holds_mean(column)))
        self.holds_mean(pandas.array([*self.VALUES, None], dtype="Int64"))
        self.holds_mean(numpy.array([*self.VALUES, pandas.NA], dtype=object))
        self.holds_mean(pandas.DataFrame({"educ": column, "other": "x"}), column="educ")

    def test_columns_of_polars_and_arrow_are_taken(self):
        polars, pyarrow = frame_of("polars"), frame_of("pyarrow")
        self.holds_mean(polars.Series("educ", [*self.VALUES, None]))
        self.holds_mean(polars.DataFrame({"educ": self.VALUES}), column="educ")
        self.holds_mean(pyarrow.chunked_array([self.VALUES, [None]]))
        self.holds_mean(pyarrow.table({"educ": self.VALUES}), column="educ")

    def test_a_file_is_taken(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "people.csv")
            file.write_text("educ\n" + "\n".join(map(str, self.VALUES)) + "\n")
            self.assertIn("educ of people.csv", repr(self.holds_mean(file, column="educ")))
            self.holds_mean(str(file), column="educ")

    def test_what_is_no_numbers_is_refused(self):
        frames = [(["a", "b"], "the data are no numbers"), ([1, "b", None], "texts among them"), ([1, object()], "no number"),
                  (numpy.array([1, "b"], dtype=object), "texts among them"), (numpy.zeros((2, 2)), "2 dimensions"),
                  ({"a": [1]}, "the data are a dict"), (3, "the data are an int"), (b"12", "the data are a bytes"),
                  (numpy.array(["2020-01-01"], dtype="datetime64[D]"), "no numbers"), ([], "at least one value"), ([1, 2, float("inf")], "finite"),
                  ([[1], [2, 3]], "the data"), (numpy.array([1j]), "no numbers")]
        for data, sentence in frames:
            with self.subTest(data=data), self.assertRaises(vn.Error) as caught:
                vn.coverage(data, **self.KEYWORDS)
            self.assertIn(sentence, str(caught.exception))

    def test_a_frame_needs_the_name_of_its_column(self):
        pandas = frame_of("pandas")
        frame = pandas.DataFrame([[1, 2]], columns=["educ", "educ"])
        for more, sentence in (({}, "the data have columns; name one"), ({"column": "age"}, "no column 'age'"),
                               ({"column": "educ"}, "several columns 'educ'"), ({"column": 3}, "column is an int")):
            with self.assertRaisesRegex(vn.InvalidError, sentence):
                vn.coverage(frame, **more, **self.KEYWORDS)


class Looks(unittest.TestCase):
    def tearDown(self):
        import matplotlib.pyplot

        matplotlib.pyplot.close("all")

    def test_coverage_is_drawn_with_its_bars_and_the_claim(self):
        found = vn.coverage(**{**UNIFORM, "epsilon": [1, 2, 3]})
        ax = found.plot()
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], ["claim", "coverage"])
        bars = ax.containers[0]
        self.assertEqual(bars.lines[0].get_xydata().tolist(), numpy.column_stack([found.points["epsilon"], found.points["coverage"]]).tolist())
        ends = numpy.array([segment[:, 1] for segment in bars.lines[2][0].get_segments()])
        numpy.testing.assert_allclose(ends, numpy.column_stack([found.points["low"], found.points["high"]]))
        claim = next(line for line in ax.get_lines() if line.get_label() == "claim")
        self.assertEqual(set(claim.get_ydata()), {0.95})

    def test_what_is_refuted_has_another_colour(self):
        found = vn.coverage(distribution="uniform", size=500, epsilon=[0.01, 5], delta=1e-8, interval="lecture", covers="population")
        self.assertEqual(found.points["refuted"].tolist(), [False, True])
        stands, refuted = found.plot().containers
        self.assertEqual((stands.get_label(), refuted.get_label()), ("coverage", "refuted"))
        self.assertNotEqual(stands.lines[0].get_color(), refuted.lines[0].get_color())

    def test_intervals_that_miss_have_another_colour(self):
        for covers in ("sample", "population"):
            found = vn.coverage(distribution="uniform", size=500, epsilon=1, alpha=0.5, simulations=200, covers=covers)
            drawn = {lines.get_label(): len(lines.get_segments()) for lines in found.plot_intervals().collections}
            held = int(found.intervals["holds"].sum())
            self.assertEqual(drawn, {"holds it": held, "misses it": 100 - held})

    def test_two_sweeps_have_no_picture(self):
        found = vn.coverage(distribution="uniform", size=[50, 100], epsilon=[1, 2], simulations=10)
        with self.assertRaisesRegex(vn.InvalidError, "epsilon and size both vary"):
            found.plot()
        self.assertIn("size", found._repr_html_())

    def test_denoising_is_told_and_drawn(self):
        found = vn.coverage(denoise=True, epsilon=[0.1, 1], dimension=[10, 100], simulations=20)
        self.assertEqual((found.mechanism, found.size, found.delta, found.refuted), ("discrete-gaussian", 500, 1e-6, False))
        methods = list(dict.fromkeys(found.points["method"].tolist()))
        for vector in ("dense", "sparse"):
            ax = found.plot(vector=vector)
            self.assertEqual([line.get_label() for line in ax.get_lines()], methods)
            self.assertEqual([len(line.get_xdata()) for line in ax.get_lines()], [2] * len(methods))
        with self.assertRaisesRegex(vn.InvalidError, "dense"):
            found.plot(vector="round")
        self.assertIn("james-stein", found._repr_html_().lower())


class Interruptions(unittest.TestCase):
    def test_progress_is_told_from_the_calling_thread(self):
        told, threads = [], set()

        def show(done):
            told.append(done)
            threads.add(threading.get_ident())

        given = {"distribution": ["uniform"], "size": ["2000"], "epsilon": ["1"], "simulations": ["40000"]}
        _core.coverage(given, None, "", show)
        self.assertGreater(len(told), 1)
        self.assertEqual(told, sorted(told))
        self.assertEqual(threads, {threading.get_ident()})

    def test_an_error_while_showing_goes_out(self):
        def show(done):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            _core.coverage({"distribution": ["uniform"], "size": ["100"], "epsilon": ["1"]}, None, "", show)

    def test_an_interrupt_stops_it(self):
        timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
        begin = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            vn.coverage(**LONG, progress=False)  # no Python runs meanwhile that would notice it
        timer.join()
        self.assertLess(time.monotonic() - begin, 30)

    def test_other_threads_run_meanwhile(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.wait(0.01):
                ticks.append(1)

        thread = threading.Thread(target=tick)
        thread.start()
        vn.coverage(**{**LONG, "simulations": 40000}, progress=False)
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), 3)

    def test_no_bar_where_none_is_wanted(self):
        with mock.patch("vernier.coverages.shown_progress") as shown:
            vn.coverage(**{**UNIFORM, "simulations": 10}, progress=False)
        shown.assert_not_called()


class Refusals(unittest.TestCase):
    def test_each_says_what_to_do(self):
        for keywords, sentence in [
            ({"epsilon": 1, "size": 50}, 'the values are missing; give data=, a list or a column of numbers, or distribution="normal"'),
            ({**UNIFORM, "size": None}, "size is missing: how many rows a sample has; give it, for example as size=500"),
            ({**UNIFORM, "epsilon": None}, "epsilon is missing"),
            ({**UNIFORM, "epsilon": (1, 2)}, "epsilon is a tuple of 2; write (first, last, points), or a list of numbers"),
            ({**UNIFORM, "epsilon": []}, "epsilon has no number"),
            ({**UNIFORM, "size": range(1, 10**30)}, "size has more than 10000 numbers; give fewer"),
            ({**UNIFORM, "epsilon": [2, 1]}, "the numbers of epsilon must ascend, but 1 comes after 2"),
            ({**UNIFORM, "epsilon": [[1]]}, "epsilon is a list; write a number such as 0.5"),
            ({**UNIFORM, "epsilon": {}}, "epsilon is a dict"),
            ({**UNIFORM, "epsilon": -1}, "epsilon"),
            ({**UNIFORM, "size": 2.5}, "size must be a whole number"),
            ({**UNIFORM, "statistic": "men"}, "men"),
            ({**UNIFORM, "statistic": 3}, "statistic is an int; write a text"),
            ({**UNIFORM, "guaranteed": True}, 'guaranteed is for our intervals of the population; give covers="population"'),
            ({**UNIFORM, "guaranteed": 1}, "guaranteed is an int; it is True or False"),
            ({**UNIFORM, "column": "educ"}, "column belongs to data"),
            ({**UNIFORM, "dimension": 5}, "dimension"),
            ({"denoise": True, "statistic": "mean"}, "statistic cannot be given with denoise"),
            ({"data": [1, 2], **UNIFORM}, "distribution and values of your own cannot be given together"),
            ({"data": "nowhere.csv", "epsilon": 1, "size": 5, "column": "x", "lower": 0, "upper": 1}, "nowhere.csv"),
            ({**UNIFORM, "simulations": 0}, "simulations must be from 1 to"),
        ]:
            with self.subTest(keywords=keywords), self.assertRaises(vn.Error) as caught:
                vn.coverage(**keywords)
            self.assertIn(sentence, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
