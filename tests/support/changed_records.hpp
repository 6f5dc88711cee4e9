#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

// Records in which something was changed and that were signed again, by somebody with a key.
namespace vernier::testing {

using Json = nlohmann::ordered_json;

std::string signed_again(Json record);

// What is found wrong with the record, signed again; nothing where it holds.
std::string problem_of(const Json& record);
std::string problem_of_text(const std::string& text);  // as it is

// The record with an infinity, no number, the end of what a double holds, or -0 in place of the number at this path,
// each signed again; none where no number is there.
std::vector<std::string> with_far_figures(const Json& record, const std::string& path);

// The paths of everything that is neither an object nor a list.
std::vector<std::string> leaves_of(const Json& record);

// With a little more, another text, or the other truth at this path.
Json changed(Json record, const std::string& path);

// Changes every leaf whose path has one of these parts, one at a time, and expects that something is found wrong, and
// not with the signature; of a number, likewise for every far figure in its place. How many there were.
struct Changes {
  std::vector<std::string_view> parts;
  std::string_view but = "/region";  // the end of paths that are left alone; of none if it is empty
};
int expect_changes_refused(const Json& record, const Changes& changes);

}  // namespace vernier::testing
