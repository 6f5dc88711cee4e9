#include "support/changed_records.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "support/signed_releases.hpp"
#include "vernier/release/signing/signing_key.hpp"
#include "vernier/release/verify/verify.hpp"

namespace vernier::testing {
namespace {

Json changed_leaf(const Json& leaf) {
  if (leaf.is_number_float()) return leaf.get<double>() * 1.001;
  if (leaf.is_number()) return leaf.get<std::int64_t>() + 1;
  if (leaf.is_boolean()) return !leaf.get<bool>();
  if (leaf.is_string()) return leaf.get<std::string>() + "1";
  return leaf.is_null() ? Json("1") : Json(nullptr);
}

// What no release has, as JSON and as texts that a reader may take for numbers.
constexpr std::array<std::string_view, 9> far_figures = {"\"inf\"", "\"-inf\"", "\"nan\"", "1e999", "-1e999",
                                                         "1e308",   "-1e308",   "-0.0",    "-0"};

std::string unsigned_text(Json record) {
  record["certificate"]["public_key"] = test_key().public_key().hex();
  record["certificate"]["signature"] = "";
  return record.dump() + "\n";
}

bool concerns(const std::string& path, const Changes& changes) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string::npos; };
  const bool is_left_alone = !changes.but.empty() && path.ends_with(changes.but);
  return !is_left_alone && std::any_of(changes.parts.begin(), changes.parts.end(), has);
}

}  // namespace

std::string signed_again(Json record) {
  return release::with_signature(unsigned_text(std::move(record)), test_key()).value();
}

std::vector<std::string> with_far_figures(const Json& record, const std::string& path) {
  const std::string mark = "\"this figure\"";
  if (!record[Json::json_pointer(path)].is_number()) return {};
  Json changed = record;
  changed[Json::json_pointer(path)] = "this figure";
  const std::string text = unsigned_text(std::move(changed));
  std::vector<std::string> made;
  for (const std::string_view figure : far_figures) {
    std::string other = text;
    other.replace(text.find(mark), mark.size(), figure);
    made.push_back(release::with_signature(std::move(other), test_key()).value());
  }
  return made;
}

std::string problem_of_text(const std::string& text) {
  return release::verify(text, test_key().public_key()).first_problem.value_or("");
}

std::string problem_of(const Json& record) { return problem_of_text(signed_again(record)); }

std::vector<std::string> leaves_of(const Json& record) {
  const Json flat = record.flatten();
  std::vector<std::string> paths;
  for (const auto& [path, value] : flat.items()) paths.push_back(path);
  return paths;
}

Json changed(Json record, const std::string& path) {
  Json& leaf = record[Json::json_pointer(path)];
  leaf = changed_leaf(leaf);
  return record;
}

int expect_changes_refused(const Json& record, const Changes& changes) {
  EXPECT_EQ(problem_of(record), "");
  int refused = 0;
  for (const std::string& path : leaves_of(record)) {
    if (!concerns(path, changes)) continue;
    const std::string problem = problem_of(changed(record, path));
    EXPECT_NE(problem, "") << path;
    EXPECT_FALSE(problem.starts_with("signature")) << path;
    for (const std::string& text : with_far_figures(record, path)) EXPECT_NE(problem_of_text(text), "") << path;
    ++refused;
  }
  return refused;
}

}  // namespace vernier::testing
