#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/numeric/rational.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {

// Reads one table key by key. What is wrong becomes a problem and counts as missing; every key that is never asked for
// is a problem too, told by `finish`.
class TableReader {
 public:
  // `name` is how sentences call the table: "[budget]", "the column 'age'".
  TableReader(const TomlTable& table, Place place, std::string name, std::vector<Problem>& problems)
      : table_(table), place_(place), name_(std::move(name)), problems_(problems) {}

  const TomlNode* find(std::string_view key);                               // nullptr where it is missing
  const TomlNode* require(std::string_view key, std::string_view example);  // a problem as well, with the example

  // A value of the kind; none where the key is missing or its value is of another kind.
  std::optional<std::string> text(std::string_view key, std::string_view example);
  std::optional<bool> boolean(std::string_view key);
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t least, std::int64_t greatest);
  std::optional<numeric::Rational> number(std::string_view key);  // exactly as written
  // One of the words.
  std::optional<std::string> word(std::string_view key, const std::vector<std::string>& words);
  const TomlTable* table(std::string_view key, std::string_view example);

  // The problems of keys that nobody asked for.
  void finish();

  void refuse(Place place, std::string problem, std::string advice = {}) {
    problems_.push_back({place, std::move(problem), std::move(advice)});
  }
  void refuse(Place place, std::string subject, std::string problem, std::string advice) {
    problems_.push_back({place, std::move(subject), std::move(problem), std::move(advice)});
  }
  // "lower of the column 'age'"
  std::string subject(std::string_view key) const { return std::string(key) + " of " + name_; }
  const std::string& name() const { return name_; }
  Place place() const { return place_; }

 private:
  void refuse_kind(std::string_view key, std::string_view wanted, const TomlNode& node);
  const TomlTable& table_;
  Place place_;
  std::string name_;
  std::vector<Problem>& problems_;
  std::set<std::string, std::less<>> asked_;
};

// The number that the node is, exactly; none where it is no finite number.
std::optional<numeric::Rational> number_of(const TomlNode& node);

// "a, b and c"
std::string listed(const std::vector<std::string>& words, std::string_view last = "and");

// "'north'", safe to show: what cannot be seen is left out of it.
std::string in_quotes(std::string_view text);

// What a value of the type looks like in a file: `a whole number such as 16`.
std::string example_of(Type type);

// The value of a key; none where it is of another type. Reals have their own way, over the grid.
std::optional<Value> value_of(const TomlNode& node, Type type);

// The value that the key of a table stands for, since keys are text: 16 = "Doctorate degree".
std::optional<Value> value_of_key(std::string_view key, Type type);

}  // namespace vernier::query
