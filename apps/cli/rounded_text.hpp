#pragma once

#include "text/confidence_text.hpp"
#include "vernier/core/rounded_text.hpp"

namespace vernier::cli {

using text::confidence_text;

}  // namespace vernier::cli
