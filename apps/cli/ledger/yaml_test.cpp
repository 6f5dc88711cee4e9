#include "cli/ledger/yaml.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Yaml, WritesBlocks) {
  YamlWriter yaml;
  yaml.remark("a remark");
  yaml.field("name", "a \"b\": c", "fill in");
  yaml.begin("deep");
  yaml.number("epsilon", "3");
  yaml.number("delta", "1e-07");
  yaml.number("rho", "1.5e-07");
  yaml.begin("list");
  yaml.first_of_item("who", "x");
  yaml.item("y", "z");
  yaml.end();
  yaml.lines("text", "one\n- two\n");
  yaml.end();
  yaml.field("last", "");
  EXPECT_EQ(yaml.text(),
            "# a remark\n"
            "name: \"a \\\"b\\\": c\"  # fill in\n"
            "deep:\n"
            "  epsilon: 3\n"
            "  delta: 1.0e-07\n"
            "  rho: 1.5e-07\n"
            "  list:\n"
            "    - who: \"x\"\n"
            "    - \"y\"  # z\n"
            "  text: |\n"
            "    one\n"
            "    - two\n"
            "last: \"\"\n");
}

TEST(Yaml, LetsNoControlCharacterThrough) {
  YamlWriter yaml;
  yaml.field("a", "\x1b\n");
  yaml.lines("b", "x\x1by");
  EXPECT_EQ(yaml.text(), "a: \"\\u001b\\u000a\"\nb: |\n  x\\x1by\n");
}

}  // namespace
}  // namespace vernier::cli
