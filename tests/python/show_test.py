"""How results are looked at: tables, pictures, progress."""
import contextlib
import io
import os
import sys
import unittest
from unittest import mock

import numpy

os.environ.setdefault("MPLBACKEND", "Agg")

import vernier as vn
from vernier import _show, _words


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Tables(unittest.TestCase):
    def test_html_is_escaped_everywhere(self):
        table = _show.html_table(["<b>"], [["<script>"]], caption="a & <i>")
        for raw in ("<b>", "<script>", "<i>"):
            self.assertNotIn(raw, table)
        self.assertIn("&lt;script&gt;", table)

    def test_nothing_unseen_is_shown(self):
        hostile = "a\u009b31m\u202e\x1b"
        for shown in (_show.html_table([hostile], [[hostile]], hostile), _show.text_table([hostile], [[hostile]])):
            self.assertIn("a\\u{9b}31m\\u{202e}\\x1b", shown)
            self.assertFalse(set(shown) & {"\u009b", "\u202e", "\x1b"})

    def test_numbers_stand_to_the_right_written_or_not(self):
        table = _show.html_table(["x"], [[1.5], ["0.9500"], ["two"], [True]])
        self.assertEqual(table.count("right"), 2)
        self.assertEqual(_show.text_table(["x", "name"], [["0.9500", "a"], ["12", "b"]]), "     x  name\n0.9500  a\n    12  b")

    def test_bounds_are_shown_rounded_toward_safety(self):
        for value in (2.2547300000001, 0.1, 1 / 3, 1e-9, 123456.75, 1e300, 5e-324):
            with self.subTest(value):
                self.assertGreaterEqual(float(_show.at_most(value)), value)
                self.assertLessEqual(float(_show.at_least(value)), value)
                self.assertLessEqual(float(_show.at_most(value)), value * 1.00002 or 1e-300)
        self.assertEqual(_show.at_most(float("inf")), "inf")


class Pictures(unittest.TestCase):
    def test_without_matplotlib_the_error_says_what_to_install(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            with self.assertRaisesRegex(vn.FailedError, r"pip install vernier\[plot\]"):
                _show.need_matplotlib()


class Progress(unittest.TestCase):
    def shown(self, with_tqdm, stream):
        find = __import__("importlib.util").util.find_spec
        hidden = lambda name, *more: None if name == "tqdm" and not with_tqdm else find(name, *more)
        with mock.patch("importlib.util.find_spec", hidden), contextlib.redirect_stderr(stream):
            with _show.progress("simulating") as show:
                for done in (0.25, 0.5, 0.5, 1.5):
                    show(done)
        return stream.getvalue()

    def test_a_terminal_sees_a_percentage_and_then_nothing(self):
        text = self.shown(False, Terminal())
        self.assertEqual([part.strip() for part in text.split("\r") if part.strip()],
                         ["simulating:  25 %", "simulating:  50 %", "simulating: 100 %"])
        self.assertTrue(text.endswith("\r"))

    def test_a_file_sees_nothing(self):
        self.assertEqual(self.shown(False, io.StringIO()), "")
        self.assertEqual(self.shown(True, io.StringIO()), "")

    def test_a_terminal_with_tqdm_sees_its_bar(self):
        try:
            import tqdm.auto  # noqa: F401
        except ImportError:
            self.skipTest("tqdm is not installed")
        bars = []

        class Bar:
            def __init__(self, **options):
                self.n, self.options = 0.0, options
                bars.append(self)

            def __enter__(self):
                return self

            def __exit__(self, *error):
                self.closed = True

            def update(self, step):
                self.n += step

        with mock.patch("tqdm.auto.tqdm", Bar):
            self.shown(True, Terminal())
        self.assertEqual((bars[0].n, bars[0].closed, bars[0].options["desc"]), (100, True, "simulating"))


class Words(unittest.TestCase):
    def test_what_is_no_number_is_said_so(self):
        for value, what in (([1], "a list"), ({}, "a dict"), (True, "a bool"), (1j, "a complex"),
                            (object(), "an object"), (b"1", "a bytes")):
            with self.assertRaisesRegex(vn.InvalidError, f"epsilon is {what}; write a number such as 0.5"):
                _words.written("epsilon", value)
        with self.assertRaisesRegex(vn.InvalidError, "half a character"):
            _words.written("epsilon", "\ud800")
        with self.assertRaisesRegex(vn.InvalidError, "an integer of thousands of digits"):
            _words.written("epsilon", 10**5000)

    def test_numbers_of_numpy_are_those_that_it_shows(self):
        for value, text in ((numpy.float32(0.1), "0.1"), (numpy.float64(0.1), "0.1"), (numpy.int8(3), "3"), (numpy.array(0.5), "0.5")):
            self.assertEqual(_words.written("epsilon", value), text)


if __name__ == "__main__":
    unittest.main()
