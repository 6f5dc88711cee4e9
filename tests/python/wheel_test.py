"""The wheel: made of what was built, installed into an environment that has nothing but it and numpy, and used from
another folder.

With VERNIER_NEWER_PYTHON=python3.12 (or later, with its headers) the wheel is that of the stable ABI, and numpy is fetched."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEWER = os.environ.get("VERNIER_NEWER_PYTHON")


def newer_environment(folder):
    """The same of another Python."""
    python = pathlib.Path(folder, "bin/python")
    subprocess.run([NEWER, "-m", "venv", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numpy"], check=True)
    return python


def bare_environment(folder):
    """An environment without packages but numpy; its interpreter."""
    if NEWER:
        return newer_environment(folder)
    venv.create(folder, with_pip=False)
    site = next(pathlib.Path(folder).glob("lib/python*/site-packages"))
    for part in pathlib.Path(numpy.__file__).parents[1].glob("numpy*"):
        (site / part.name).symlink_to(part)
    return pathlib.Path(folder, "bin/python")


def install(wheel, python):
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index",
                    "--disable-pip-version-check", wheel], check=True)


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        subprocess.run([ROOT / "tools/wheel", *(["--python", NEWER] if NEWER else ["--as-built"]), cls.folder / "dist"], check=True,
                       stdout=subprocess.DEVNULL)
        cls.wheels = list((cls.folder / "dist").glob("*.whl"))
        cls.python = bare_environment(cls.folder / "environment")
        install(cls.wheels[0], cls.python)

    def run_there(self, *words):
        """A program of the environment, in an empty folder and with a home of its own."""
        home = tempfile.TemporaryDirectory()
        self.addCleanup(home.cleanup)
        done = subprocess.run([self.python.parent / words[0], *words[1:]], cwd=home.name, text=True, capture_output=True,
                              timeout=120, check=False, env={"HOME": home.name, "PATH": "/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def test_there_is_one_and_its_name_says_on_which_linux_it_runs(self):
        self.assertEqual(len(self.wheels), 1)
        python = "cp312-abi3" if NEWER else r"cp\d+-cp\d+"
        self.assertRegex(self.wheels[0].name, rf"^vernier-[0-9.]+-{python}-manylinux_2_\d+_x86_64\.whl$")

    def test_has_the_package_its_types_and_its_licence_and_no_tests(self):
        names = zipfile.ZipFile(self.wheels[0]).namelist()
        for wanted in ("vernier/__init__.py", "vernier/_core.pyi", "vernier/py.typed", "vernier/compat/opendp.py"):
            self.assertIn(wanted, names)
        self.assertTrue(any(name.endswith("licenses/LICENSE") for name in names))
        self.assertFalse([name for name in names if "test" in name or name.startswith("docs")])

    def test_runs_without_the_clone(self):
        program = "import vernier as vn; print(vn.__file__); print(vn.calibrate('geometric', epsilon=1).accuracy)"
        place, accuracy = self.run_there("python", "-c", program).split()
        self.assertTrue(place.startswith(str(self.folder)))
        self.assertEqual(float(accuracy), 3)

    def test_brings_the_command_line(self):
        said = self.run_there("vernier", "--version")
        self.assertEqual(self.run_there("python", "-m", "vernier", "--version"), said)
        self.assertRegex(said, r"^vernier \d")

    def test_releases_with_the_engine_that_is_in_it(self):
        self.assertIn("release", self.run_there("vernier", "demo", "--out", "demo"))


if __name__ == "__main__":
    unittest.main()
