"""The list of planted mistakes is one: what the program says, what the page shows, and which tests there are."""
import re
import unittest

from pages_test import written_tests
from tree import ROOT

LIST = ROOT / "src/vernier/audit/mutants.cpp"
PAGE = ROOT / "docs/theory/audit.md"
ENTRY = re.compile(r'\{(\d+),\s*"([^"]+)",\s*"(\w+)",\s*("[^"]+"|\w+)\}')
NAME = re.compile(r'constexpr std::string_view (\w+) = "([^"]+)";')
ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| `(\w+)` \| `([^`]+)` \|$", re.MULTILINE)
PROGRAMS = ROOT / "tests/CMakeLists.txt"


def listed():
    """(number, mistake, program, test) as the program has them."""
    text = LIST.read_text()
    names = dict(NAME.findall(text))
    return [(number, mistake, program, test.strip('"') if test.startswith('"') else names[test])
            for number, mistake, program, test in ENTRY.findall(text)]


class Mutants(unittest.TestCase):
    def test_there_are_forty(self):
        self.assertEqual([int(number) for number, *_ in listed()], list(range(1, 41)))

    def test_each_names_a_test_that_exists(self):
        written = set(written_tests())
        for number, _, _, test in listed():
            with self.subTest(number):
                suite, name = re.fullmatch(r"(?:\w+/)?(\w+)\.(\w+)(?:/\*)?", test).groups()
                self.assertIn((suite, name), written)

    def test_each_names_a_program_of_the_tests(self):
        text = PROGRAMS.read_text()
        rooms = set(re.search(r"foreach\(room ([^)]*)\)", text).group(1).split())
        programs = {f"{room}_test" for room in rooms} | set(re.findall(r"add_executable\((\w+_test)", text))
        self.assertEqual({program for _, _, program, _ in listed()} - programs, set())

    def test_the_page_shows_the_list(self):
        self.assertEqual([tuple(part.strip() for part in row) for row in ROW.findall(PAGE.read_text())], listed())

    def test_planted_names_carry_their_numbers(self):
        """Of the twin run and of responses, which plant many at once: the numbers in the tests are those of the list."""
        for program, file in (("twin_test", "tests/twin/mistakes.cpp"), ("response_test", "tests/response/mistakes.cpp")):
            planted = set(re.findall(r'\{"(\d+)\w?:? ', (ROOT / file).read_text()))
            self.assertEqual({number for number, _, named, _ in listed() if named == program} - planted, set(), program)


if __name__ == "__main__":
    unittest.main()
