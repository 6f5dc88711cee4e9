#pragma once

#include "text/grouped_text.hpp"

namespace vernier::cli {

using text::decimals_for;
using text::grouped;
using text::grouped_up;
using text::Margin;
using text::with_margin;

}  // namespace vernier::cli
