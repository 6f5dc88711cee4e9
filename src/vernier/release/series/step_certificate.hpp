#pragma once

#include <string_view>

#include "vernier/release/series/step_record.hpp"

namespace vernier::release {

// The certificate of a record that the ledger vouches for, without the numbers, which are nine tenths of its text and
// follow from it: a step reads those of all steps before it. Names and texts cannot have a bare quotation mark in them,
// so that nothing else looks like its beginning.
Result<StepRecord> read_step_certificate(std::string_view text);

}  // namespace vernier::release
