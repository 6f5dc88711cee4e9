"""`vernier coverage --denoise` as a user runs it. Usage: coverage_denoise_test.py PROGRAM"""
import math
import os
import tempfile
import unittest
import xml.etree.ElementTree as xml

from program import ProgramTest

QUICK = ["coverage", "--denoise", "--epsilon", "0.1", "--dimension", "10:1010:3", "--simulations", "40"]


class Experiment(ProgramTest):
    def test_finds_the_gain_where_the_paper_does(self):
        answer = self.json(*QUICK)
        self.assertEqual((answer["delta"], answer["size"], answer["simulations"]), (1e-6, 500, 40))
        self.assertFalse(answer["refuted"])
        found = {(point["vector"], point["dimension"]): {one["method"]: one for one in point["methods"]}
                 for point in answer["points"]}
        self.assertEqual(set(found), {(vector, d) for vector in ("dense", "sparse") for d in (10, 510, 1010)})
        for (vector, dimension), methods in found.items():
            with self.subTest(vector=vector, dimension=dimension):
                raw, shrunk = methods["raw"], methods["james-stein"]
                sigma = answer["points"][0]["sigma"]
                self.assertAlmostEqual(raw["error"], 1, delta=7 * math.sqrt(2 / dimension / 40))
                self.assertAlmostEqual(raw["distance"], math.sqrt(raw["error"] * dimension) * sigma / 500, delta=1e-9)
                self.assertLess(shrunk["distance"], 1.2)  # the length of the vector, however many dimensions it has
                self.assertLess(shrunk["error"], shrunk["bound"] + 6 * shrunk["standard_error"])
        self.assertLess(found["dense", 1010]["james-stein"]["over_raw"], 0.25)
        self.assertGreater(found["dense", 10]["james-stein"]["over_raw"], 0.6)
        self.assertLess(found["sparse", 510]["soft-threshold"]["over_raw"],
                        0.7 * found["sparse", 510]["james-stein"]["over_raw"])

    def test_prints_a_table_and_draws_both_kinds_of_vectors(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "gain.svg")
            printed = self.text(*QUICK, "--plot", file)
            self.assertEqual(len([line for line in printed.splitlines() if line.startswith(("dense", "sparse"))]), 6)
            self.assertIn("nowhere worse than raw", printed)
            for name, vectors in (("gain.svg", "dense"), ("gain-sparse.svg", "sparse")):
                drawn = "".join(xml.parse(os.path.join(folder, name)).getroot().itertext())
                self.assertIn(f"{vectors} vectors", drawn)
                self.assertIn("james-stein", drawn)

    def test_refuses_what_says_nothing_here(self):
        self.assert_refused([*QUICK, "--statistic", "mean"], saying="--statistic cannot be given with --denoise")
        self.assert_refused(["coverage", "--denoise", "--dimension", "3"], saying="--dimension must be from 4")
        self.assert_refused(["coverage", "--denoise", "--epsilon", "-1"], saying="epsilon")
        self.assert_refused(["coverage", "--dimension", "10"], saying="--dimension belongs to --denoise")


if __name__ == "__main__":
    unittest.main()
