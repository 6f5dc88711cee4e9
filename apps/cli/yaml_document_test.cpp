#include "cli/yaml_document.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

std::string said(const std::string& text) {
  const auto document = parse_yaml(text);
  return document ? "" : query::located("f", document.error());
}

TEST(YamlDocument, KeepsOrderPlacesAndQuotes) {
  const auto document = parse_yaml("b: 1\na:\n  - x\n  - \"true\"\n");
  ASSERT_TRUE(document) << document.error().sentence;
  const auto& map = std::get<YamlMap>(document->content);
  ASSERT_EQ(map.size(), 2U);
  EXPECT_EQ(map[0].key + map[1].key, "ba");
  EXPECT_EQ(map[1].place, (query::Place{2, 1}));
  const auto& list = std::get<YamlList>(map[1].node.content);
  EXPECT_TRUE(std::get<YamlScalar>(list[0].content).is_plain);
  EXPECT_FALSE(std::get<YamlScalar>(list[1].content).is_plain);
  EXPECT_EQ(list[1].place, (query::Place{4, 5}));
}

TEST(YamlDocument, RefusesWhatIsNeverNeeded) {
  EXPECT_EQ(said("a: &x 1\n"), "f:1:4: anchors (&) and aliases (*) are not read; write the value itself");
  EXPECT_EQ(said("a: 1\nb: *x\n"), "f:2:4: anchors (&) and aliases (*) are not read; write the value itself");
  EXPECT_EQ(said("a: !!python/object:os.system 1\n"), "f:1:4: tags (!) are not read; leave it out");
  EXPECT_EQ(said("a: 1\na: 2\n"), "f:2:1: the key 'a' stands here twice; leave one");
  EXPECT_EQ(said("? [a, b]\n: 1\n"), "f:1:3: a key must be a text; write name: value");
  EXPECT_EQ(said("a: 1\n---\nb: 2\n"), "f:2:1: the file has a second document (---); leave one");
  EXPECT_EQ(said("").substr(0, 22), "f:1:1: the file is emp");
}

TEST(YamlDocument, RefusesWhatIsNoYaml) {
  for (const std::string& text : {std::string("a: b: c\n"), std::string("a: [1, 2\n"), std::string("a:\n\t- 1\n"),
                                  std::string("a: \"x\n"), std::string("a: \xff\xfe\n"), std::string("a: \0b\n", 6)}) {
    EXPECT_NE(said(text).find("this cannot be read as YAML"), std::string::npos) << text << said(text);
  }
}

// A billion laughs never begins, since the first anchor ends it; nesting ends at 16 levels.
TEST(YamlDocument, IsQuickWithBombs) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(said("a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\n").find("anchors"), std::string::npos);
  EXPECT_NE(said(std::string(100'000, '[')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(said(std::string(100'000, '{')).find("f:1:"), std::string::npos);
  std::string many;
  for (int i = 0; i < 100'000; ++i) many.append("k").append(std::to_string(i)).append(": 1\n");
  EXPECT_EQ(said(many), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace vernier::cli
