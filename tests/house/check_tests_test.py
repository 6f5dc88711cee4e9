import unittest

from tree import ROOT, TreeTest, run


class CheckTests(TreeTest):
    check = "check_tests"

    def test_accepts_every_way_to_assert(self):
        self.write("tests/a_test.cpp", """
            TEST(A, One) { EXPECT_EQ(1, f()); }
            TEST_F(A, Two) { if (f()) { ASSERT_TRUE(g()); } }
            TEST_P(A, Three) { expect_law(GetParam()); }
            RC_GTEST_PROP(A, Four, (int x, const char* y)) { RC_ASSERT(x == f(y)); }
            TEST(A, Five) { if (const char brace = '{'; f(brace)) FAIL(); }
            TEST(A, Six) { f(1'000); EXPECT_EQ(g(), '}'); }
            """)
        self.expect_clean()

    def test_refuses_a_test_without_assertion(self):
        self.write("src/vernier/core/a_test.cpp", "TEST(A, Fine) { EXPECT_TRUE(f()); }\nTEST(A, Empty) { f(); }\n")
        self.expect_finding("a_test.cpp:2: TEST(A, Empty)")
        self.assertNotIn("Fine", self.run_check().stdout)

    def test_is_not_fooled_by_comments_and_strings(self):
        self.write("tests/a_test.cpp", 'TEST(A, B) { // EXPECT_TRUE(x)\n f("EXPECT_TRUE(x)"); /* ASSERT_EQ(1, 2) */ }\n')
        self.expect_finding("TEST(A, B)")

    def test_is_not_fooled_by_an_assertion_after_the_body(self):
        self.write("tests/a_test.cpp", "TEST_F(A, B) { f(); }\nvoid helper() { EXPECT_TRUE(g()); }\n")
        self.expect_finding("TEST_F(A, B)")

    def test_refuses_an_assertion_about_a_literal(self):
        self.write("tests/a_test.cpp", "TEST(A, B) { f(); EXPECT_TRUE(true); }\n")
        self.expect_finding("TEST(A, B)")

    def test_refuses_a_property_without_assertion(self):
        self.write("tests/a_test.cpp", "RC_GTEST_PROP(A,\n  B, (int x)) { f(x); }\n")
        self.expect_finding("RC_GTEST_PROP(A, B, (int x))")

    def test_refuses_a_python_test_without_assertion(self):
        self.write("tests/a_test.py", "def test_one():\n    assert f()\n\ndef test_two():\n    f()\n")
        self.expect_finding("tests/a_test.py:4: test_two")
        self.assertNotIn("test_one", self.run_check().stdout)

    def test_accepts_a_python_helper_that_asserts_and_no_other(self):
        self.write("tests/program.py", "def refuses(x):\n    assert x\n\ndef runs(x):\n    return x\n")
        self.write("tests/a_test.py", "def test_one():\n    refuses(f())\n\ndef test_two():\n    runs(f())\n")
        self.expect_finding("tests/a_test.py:4: test_two")
        self.assertNotIn("test_one", self.run_check().stdout)

    def test_this_project_obeys(self):
        result = run(ROOT / "tools/check_tests")
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
