#pragma once

#include <optional>
#include <vector>

#include "vernier/query/study.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// Those keys of a [[statistic]] that say what its intervals are about.
Inference read_inference(TableReader& reader);

// What its intervals may miss; none where it does not say.
std::optional<numeric::Rational> read_alpha(TableReader& reader);

// A part of a statement: not empty, and without what could hide the rest of it.
std::optional<std::string> fault_of_sql_part(const std::string& text);

// Those keys that say how accurate it is to be and what of a unit counts.
void read_terms(TableReader& reader, Statistic& statistic);

// One [[statistic]] of a study.
Statistic read_statistic(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
