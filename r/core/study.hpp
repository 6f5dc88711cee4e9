#pragma once

#include <string>

#include "cli/arguments.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/study.hpp"

namespace vernier::r {

// A text, empty where it is not given.
std::string text_of(const cli::Given& given, std::string_view name);

// `catalog_text` in the folder `folder`.
study::Text catalog_text(const cli::Given& given);

// The study in the file `study`, of the catalog that it names or of `catalog` alone; or `study_text` of `catalog_text`,
// as R made them, which stand in no file. Opens no data.
Result<study::Study> study_of(const cli::Given& given);

}  // namespace vernier::r
