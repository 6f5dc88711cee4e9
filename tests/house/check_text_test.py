import unittest

from tree import ROOT, TreeTest, run


class CheckText(TreeTest):
    check = "check_text"

    def test_accepts_plain_code(self):
        self.write("src/vernier/core/a.cpp", '// printf( in a comment, and /usr/bin/env\nint f() { return snprintf(b, 1, ""); }\n')
        self.write("apps/cli/main.cpp", 'int main() { std::cout << "hello"; }\n')
        self.expect_clean()

    def test_refuses_leftovers(self):
        self.write("docs/a.md", "fine\nTO" + "DO: say more\n")
        self.write("src/vernier/core/a.cpp", "<" * 7 + " HEAD\n")
        self.expect_finding("docs/a.md:2: a leftover", "a.cpp:1: a leftover")

    def test_refuses_paths_of_one_machine(self):
        for path in ("/ho" + "me/ann/data.csv", "/ro" + "ot/x", "/wo" + "rk/x", "../" + "shared/x"):
            with self.subTest(path):
                self.write("tools/a.sh", f"cat {path}\n")
                self.expect_finding("tools/a.sh:1: a path")

    def test_refuses_hosts_of_package_registries(self):
        for host in ("pypi" + ".org", "proxy.golang" + ".org", "crates" + ".io", "deb.debian" + ".org"):
            with self.subTest(host):
                self.write("tools/a.sh", f"curl https://{host}/x\n")
                self.expect_finding("tools/a.sh:1: a host")

    def test_refuses_printing_in_the_library(self):
        self.write("src/vernier/core/a.cpp", "void f() {\n  std::cout << 1;\n  fprintf(stderr, x);\n}\n")
        self.expect_finding("a.cpp:2: the library prints", "a.cpp:3: the library prints")

    def test_refuses_a_file_that_is_too_long(self):
        self.write("apps/cli/a.cpp", "int x;\n" * 500)
        self.expect_clean()
        self.write("apps/cli/a.cpp", "int x;\n" * 501)
        self.expect_finding("apps/cli/a.cpp: 501 lines")

    def test_this_project_obeys(self):
        result = run(ROOT / "tools/check_text")
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
