import json
import shutil
import unittest

from tree import ROOT, TreeTest


@unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is missing; tools/setup --all brings it")
class CheckTidy(TreeTest):
    check = "check_tidy"

    def setUp(self):
        super().setUp()
        self.source = self.root / "src/a.cpp"
        entry = {"directory": str(self.root), "file": str(self.source), "command": f"c++ -std=c++20 -c {self.source}"}
        self.write("build/compile_commands.json", json.dumps([entry]))
        shutil.copy(ROOT / ".clang-tidy", self.root)

    def test_accepts_good_code_and_remembers_it(self):
        self.write("src/a.cpp", '#include "a.hpp"\nint twice(int x) { return 2 * x; }\n')
        self.write("src/a.hpp", "int twice(int x);\n")
        self.expect_clean()
        self.assertEqual(len(list((self.root / "build/tidy").iterdir())), 1)

    def test_looks_again_when_a_header_changes(self):
        self.write("src/a.cpp", '#include "a.hpp"\nint twice(int x) { return 2 * x; }\n')
        self.write("src/a.hpp", "int twice(int x);\n")
        self.expect_clean()
        self.write("src/a.hpp", "int twice(int y);\n")
        self.expect_finding("readability-inconsistent-declaration-parameter-name")

    def test_refuses_names_that_are_not_our_style(self):
        self.write("src/a.cpp", "int TwiceOf(int x) { return 2 * x; }\n")
        self.expect_finding("readability-identifier-naming")

    def test_refuses_mistakes_that_compile(self):
        self.write("src/a.cpp", "#include <string>\nstd::string f() { return std::string('x', 3); }\n")
        self.expect_finding("bugprone-string-constructor")

    def test_says_when_there_is_no_build(self):
        (self.root / "build/compile_commands.json").unlink()
        self.expect_finding("run tools/build first")


if __name__ == "__main__":
    unittest.main()
