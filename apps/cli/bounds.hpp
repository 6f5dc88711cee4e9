#pragma once

#include <string_view>

#include "vernier/study/bounds.hpp"
#include "vernier/study/release.hpp"

namespace vernier::cli {

inline constexpr std::string_view bounds_name = "bounds.json";

// bounds.json, which is made from the counts of the record, and the text for a person.
study::MakeDocuments bounds_documents(const study::BoundsQuestion& question);

}  // namespace vernier::cli
