#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "vernier/query/problem.hpp"

// A YAML file as a tree of maps, lists and texts, each with its place. libyaml does the reading; nothing else includes
// it. Strict: one document, no anchors, aliases or tags, no key twice, at most so deep.
namespace vernier::cli {

struct YamlNode;
struct YamlEntry;
using YamlMap = std::vector<YamlEntry>;  // in the order of the file; keys are distinct texts
using YamlList = std::vector<YamlNode>;

struct YamlScalar {
  std::string text;
  bool is_plain;  // without quotes: it may stand for a number, a truth value or nothing
};

struct YamlNode {
  query::Place place;
  std::variant<YamlScalar, YamlMap, YamlList> content;
};

struct YamlEntry {
  std::string key;
  query::Place place;
  YamlNode node;
};

inline constexpr int most_yaml_depth = 16;

// The one document of the text; the problem where it is none.
tl::expected<YamlNode, query::Problem> parse_yaml(std::string_view text);

// For sentences: the text 'int', a map, a list.
std::string described(const YamlNode& node);

}  // namespace vernier::cli
