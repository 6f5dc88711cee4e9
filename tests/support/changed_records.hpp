#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/signed_releases.hpp"
#include "vernier/release/signature.hpp"

// Records in which something was changed and that were signed again, by somebody with a key.
namespace vernier::testing {

using Json = nlohmann::ordered_json;

inline std::string signed_again(Json record) {
  record["certificate"]["public_key"] = test_key().public_key().hex();
  record["certificate"]["signature"] = "";
  return release::with_signature(record.dump() + "\n", test_key()).value();
}

// The paths of everything that is neither an object nor a list.
inline std::vector<std::string> leaves_of(const Json& record) {
  const Json flat = record.flatten();
  std::vector<std::string> paths;
  for (const auto& [path, value] : flat.items()) paths.push_back(path);
  return paths;
}

// A little more, another text, the other truth.
inline Json changed_leaf(const Json& leaf) {
  if (leaf.is_number_float()) return leaf.get<double>() * 1.001;
  if (leaf.is_number()) return leaf.get<std::int64_t>() + 1;
  if (leaf.is_boolean()) return !leaf.get<bool>();
  if (leaf.is_string()) return leaf.get<std::string>() + "1";
  return leaf.is_null() ? Json("1") : Json(nullptr);
}

inline Json changed(Json record, const std::string& path) {
  Json& leaf = record[Json::json_pointer(path)];
  leaf = changed_leaf(leaf);
  return record;
}

}  // namespace vernier::testing
