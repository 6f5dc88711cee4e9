import os
import re
import shutil
import sys
import unittest
from pathlib import Path

from tree import ROOT, TreeTest, run


class Batches(TreeTest):
    def setUp(self):
        super().setUp()
        self.root = self.root.resolve()

    def source(self, name, *lines, namespace="n", own=""):
        """A source file with lines in its namespace, and others in an unnamed one within it."""
        body = f"namespace {namespace} {{\nnamespace {{\n{own}\n}}\n" + "".join(f"{line}\n" for line in lines) + "}\n"
        self.write(name, body)

    def header(self, name, *lines, namespace="n"):
        self.write(name, f"#pragma once\nnamespace {namespace} {{\n" + "".join(f"{line}\n" for line in lines) + "}\n")

    def including(self, name, header):
        path = self.root / name
        path.write_text(f'#include "{header}"\n{path.read_text()}')

    def batches(self, *names, most=9):
        files = [self.root / name for name in names]
        result = run(sys.executable, "-B", ROOT / "cmake/batches.py", self.root / "out", most, self.root, "--", *files)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        texts = [Path(path).read_text() for path in result.stdout.split()]
        return ["".join(name[:-4] for name in names if f'"{self.root / name}"' in text) for text in texts]

    def from_nothing(self):
        shutil.rmtree(self.root / "out", ignore_errors=True)
        return self.batches("a.cpp", "b.cpp")

    def expect_apart(self):
        self.assertEqual(self.from_nothing(), ["a", "b"])

    def expect_together(self):
        self.assertEqual(self.from_nothing(), ["ab"])

    def test_files_that_share_no_name_are_together(self):
        self.source("a.cpp", "int f() { return u; }", own="constexpr int u = 1;")
        self.source("b.cpp", "int g() { return v; }", own="constexpr int v = 1;")
        self.expect_together()

    def test_a_name_that_both_keep_to_themselves_keeps_them_apart(self):
        for own in ("constexpr int u = 1;", "int u(double x) { return x; }", "struct u { int x; };", "enum class u { x };",
                    "template <class T>\nT u(T x) { return x; }", "std::vector<std::pair<int, int>> u(int x);",
                    "using u = int;", "const std::array<int, 2> u{1, 2};", "[[maybe_unused]] int u[3];",
                    "template <class T>\n  requires(sizeof(T) > 1)\nclass u {};", "using std::u;"):
            with self.subTest(own):
                self.source("a.cpp", own=own)
                self.source("b.cpp", own="constexpr double u = 2;")
                self.expect_apart()

    def test_a_name_that_the_other_only_says_keeps_them_apart(self):
        self.source("a.cpp", own="double rounded(double x) { return x; }")
        self.source("b.cpp", "int g() { return rounded(1); }")
        self.expect_apart()

    def test_the_same_holds_in_a_namespace_within(self):
        self.source("a.cpp", own="double rounded(double x) { return x; }")
        self.source("b.cpp", "int g() { return rounded(1); }", namespace="n::within")
        self.expect_apart()

    def test_what_is_kept_in_another_room_is_not_found(self):
        self.source("a.cpp", own="constexpr int u = 1;", namespace="n::a")
        self.source("b.cpp", own="constexpr int u = 2;", namespace="n::b")
        self.expect_together()

    def test_members_qualified_names_comments_and_texts_are_not_meant(self):
        self.source("a.cpp", own="constexpr int u = 1;")
        self.source("b.cpp", 'int g(S s, S* p) { return s.u + p->u + other::u + size("u"); }  // u')
        self.expect_together()

    def test_the_same_using_is_shared_and_another_is_not(self):
        self.source("a.cpp", own="using numeric::Ball;")
        self.source("b.cpp", "Ball g();", own="using numeric::Ball;")
        self.expect_together()
        self.source("c.cpp", "Ball h();", own="using other::Ball;")
        self.assertEqual(self.batches("a.cpp", "b.cpp", "c.cpp"), ["ab", "c"])

    def test_macros_and_static_functions_are_a_files_own(self):
        for own in ("#define U 1\n", "static int U() { return 1; }\n"):
            with self.subTest(own):
                self.write("a.cpp", own)
                self.write("b.cpp", "int g() { return U(); }\n")
                self.expect_apart()

    def test_a_name_from_a_header_of_the_other_keeps_them_apart(self):
        self.header("h.hpp", "struct Range { int x; };")
        self.source("a.cpp")
        self.including("a.cpp", "h.hpp")
        self.source("b.cpp", "int g(Range range);", own="using other::Range;")
        self.expect_apart()
        self.source("b.cpp", "int g(Range range);")  # that of an outer namespace, which the header would hide
        self.expect_apart()
        self.including("b.cpp", "h.hpp")
        self.expect_together()

    def test_a_namespace_that_would_hide_another_keeps_them_apart(self):
        self.header("h.hpp", "int f();", namespace="n::testing")
        self.source("a.cpp", namespace="n::a")
        self.including("a.cpp", "h.hpp")
        self.source("b.cpp", "int g() { return testing::f(); }", namespace="n::b")  # that of the root
        self.expect_apart()

    def test_headers_come_before_the_first_file(self):
        self.header("h.hpp")
        self.source("a.cpp")
        self.source("b.cpp")
        self.including("b.cpp", "h.hpp")
        self.expect_together()
        included = re.findall(r'#include "(?:.*/)?([^"/]+)"', (self.root / "out/0.cpp").read_text())
        self.assertEqual(included, ["h.hpp", "a.cpp", "b.cpp"])

    def test_no_batch_has_more_than_the_most(self):
        names = [f"{letter}.cpp" for letter in "abcde"]
        for name in names:
            self.source(name)
        self.assertEqual(self.batches(*names, most=2), ["ab", "cd", "e"])

    def test_what_is_together_stays_so_when_others_come_or_go(self):
        for letter in "abcde":
            self.source(f"{letter}.cpp")
        self.batches("b.cpp", "c.cpp", "d.cpp", most=2)
        self.assertEqual(self.batches("a.cpp", "b.cpp", "c.cpp", "d.cpp", "e.cpp", most=2), ["bc", "ad", "e"])
        self.assertEqual(self.batches("a.cpp", "c.cpp", "e.cpp", most=2), ["c", "a", "e"])

    def test_a_file_that_disturbs_after_an_edit_leaves(self):
        for letter in "abc":
            self.source(f"{letter}.cpp")
        self.assertEqual(self.batches("a.cpp", "b.cpp", "c.cpp"), ["abc"])
        self.source("a.cpp", own="constexpr int u = 1;")
        self.source("b.cpp", own="constexpr int u = 2;")
        self.assertEqual(self.batches("a.cpp", "b.cpp", "c.cpp"), ["ac", "b"])

    def test_every_build_makes_the_same_batches(self):
        """Which of two headers defines a name must not hang on the order of a set, which differs from run to run."""
        for name in ("h.hpp", "i.hpp"):
            self.header(name, "struct S { int x; };")
        for name, header in (("a.cpp", "h.hpp"), ("b.cpp", "i.hpp"), ("c.cpp", "h.hpp"), ("c.cpp", "i.hpp")):
            if not (self.root / name).exists():
                self.source(name)
            self.including(name, header)
        made = set()
        for seed in range(6):
            shutil.rmtree(self.root / "out", ignore_errors=True)
            environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
            files = [self.root / name for name in ("a.cpp", "b.cpp", "c.cpp")]
            result = run(sys.executable, "-B", ROOT / "cmake/batches.py", self.root / "out", 9, self.root, "--", *files, env=environment)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            made.add("".join(path.read_text() for path in sorted((self.root / "out").iterdir())))
        self.assertEqual(len(made), 1)

    def test_the_project_compiles_as_few_files_as_it_did(self):
        """About a sixth of the files are left to compile; with a quarter a cold build takes half as long again."""
        sources = [path for part in ("src/vernier", "apps") for path in (ROOT / part).rglob("*.cpp") if not path.stem.endswith("_test")]
        self.assertGreater(len(sources), 300)
        folders = [ROOT / "src", ROOT / "apps"]
        result = run(sys.executable, "-B", ROOT / "cmake/batches.py", self.root / "out", 14, *folders, "--", *sorted(sources))
        self.assertEqual(result.stderr, "")
        self.assertLess(len(result.stdout.split()), len(sources) / 4, "tools/slowest says which files are alone")


if __name__ == "__main__":
    unittest.main()
