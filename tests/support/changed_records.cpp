#include "support/changed_records.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/signed_releases.hpp"
#include "vernier/release/signature.hpp"
#include "vernier/release/verify.hpp"

namespace vernier::testing {
namespace {

Json changed_leaf(const Json& leaf) {
  if (leaf.is_number_float()) return leaf.get<double>() * 1.001;
  if (leaf.is_number()) return leaf.get<std::int64_t>() + 1;
  if (leaf.is_boolean()) return !leaf.get<bool>();
  if (leaf.is_string()) return leaf.get<std::string>() + "1";
  return leaf.is_null() ? Json("1") : Json(nullptr);
}

bool concerns(const std::string& path, const Changes& changes) {
  const auto has = [&](std::string_view part) { return path.find(part) != std::string::npos; };
  const bool is_left_alone = !changes.but.empty() && path.ends_with(changes.but);
  return !is_left_alone && std::any_of(changes.parts.begin(), changes.parts.end(), has);
}

}  // namespace

std::string signed_again(Json record) {
  record["certificate"]["public_key"] = test_key().public_key().hex();
  record["certificate"]["signature"] = "";
  return release::with_signature(record.dump() + "\n", test_key()).value();
}

std::string problem_of(const Json& record) {
  return release::verify(signed_again(record), test_key().public_key()).first_problem.value_or("");
}

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
    ++refused;
  }
  return refused;
}

}  // namespace vernier::testing
