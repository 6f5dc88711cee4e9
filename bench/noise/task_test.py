"""The noise task, without running any contender: `python3 -m unittest bench.noise.task_test`."""

import unittest
from unittest import mock

from bench import harness
from bench.noise import task
from bench.noise.cases import law_and_scale
from bench.worker import NotMeasured

GONE = "/no/such/program"


class Noise(unittest.TestCase):
    def test_without_any_contender_it_says_so_and_meets_no_target(self):
        sentences = []
        with mock.patch.multiple(task, VERNIER=GONE, OPENDP=GONE, PYTHON=GONE):
            noise = task.noise(quick=True)
            report = harness.report(noise, harness.run(noise, sentences.append))
        self.assertEqual((report["results"], report["targets_met"]), ([], False))
        self.assertEqual([target["value"] for target in report["targets"]], [None, None, None])
        self.assertEqual(sum("is left out" in sentence for sentence in sentences), 5)

    def test_it_asks_twice_numpy_only_where_the_machine_has_avx2(self):
        for flags, goal in (("flags\t: sse2 avx avx2 bmi2\n", 2.0), ("flags\t: sse2 avx\n", 1.0), ("", 1.0)):
            with mock.patch("builtins.open", mock.mock_open(read_data=flags)):
                self.assertEqual(task.noise(quick=True).targets[1].goal, goal)

    def test_every_case_has_a_vector_and_a_scalar_call(self):
        names = [case.name for case in task.noise(quick=False).cases]
        laws = ("geometric", "discrete-gaussian")
        vectors = [f"{law} {scale}" for law in laws for scale in ("1", "10", "1000", "20.3")] + ["laplace 1", "gaussian 1"]
        self.assertEqual(names, vectors + [f"scalar {name}" for name in vectors])

    def test_a_python_contender_takes_vector_cases_alone(self):
        self.assertEqual(law_and_scale("discrete-gaussian 20.3"), ("discrete-gaussian", 20.3))
        with self.assertRaisesRegex(NotMeasured, "scalar geometric 10"):
            law_and_scale("scalar geometric 10")


if __name__ == "__main__":
    unittest.main()
