#include "cli/catalog_skeleton.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

constexpr std::string_view head =
    R"(# What is protected, what may be spent, and everything that is public about the data.
# Fill in what is left open, then run: vernier catalog check FILE
# Only the names of the columns came from the data. Take bounds and keys from the codebook, the law or common sense,
# never from a look at the data: what is written here is public.

[budget]                # of everything that is ever published from this catalog
# epsilon = 1.0         # the total; a smaller one protects more
# delta = 1e-6          # the chance outside of it; leave it out for none

)";

constexpr std::string_view choices =
    R"(# unit = "person_id"    # whose presence is protected: the column that says whose row it is, or "row"
# neighbours = "add-remove"   # presence is protected (the default); or "replace": the content
# row_limit = 10000000000     # there are never more rows than this (the default)
)";

constexpr std::string_view types =
    R"(# Every column needs a type: "integer", "real", "string", "boolean" or "date". A cell that cannot be read so is NULL.
#   age    = { type = "integer", lower = 0, upper = 110 }
#   income = { type = "real", lower = 0, upper = 200000, granularity = 1 }
#   region = { type = "string", keys = ["north", "south"], labels = { north = "The North" } }
# lower, upper   SUM and AVG need them; what lies outside is moved to the nearer one, so wide bounds cost accuracy
# granularity    of reals: the step to which values are rounded, a power of two
# keys           the values by which results may be grouped, all published, empty or not; without them keys are private
# labels         what a report writes for a value
)";

bool is_bare(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::string toml_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\t') {
      quoted += "\\t";
    } else {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_key(std::string_view key) { return is_bare(key) ? std::string(key) : toml_text(key); }

std::string skeleton_text(const Skeleton& skeleton) {
  const std::string table = toml_key(skeleton.table);
  std::string text = fmt::format("{}[tables.{}]\nsource = {}\n", head, table, toml_text(skeleton.source));
  if (skeleton.delimiter != ',') text += fmt::format("delimiter = {}\n", toml_text({&skeleton.delimiter, 1}));
  text += fmt::format("{}\n[tables.{}.columns]\n{}", choices, table, types);
  for (const std::string& column : skeleton.columns) text += fmt::format("{} = {{}}\n", toml_key(column));
  return text;
}

}  // namespace vernier::cli
