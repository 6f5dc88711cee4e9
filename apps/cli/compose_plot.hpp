#pragma once

#include "cli/compose_answer.hpp"
#include "plot/chart.hpp"

namespace vernier::cli {

// Delta against epsilon around the answer: both ends of the exact curve, what zCDP proves where it applies, and the
// answer as a dot.
Result<plot::Chart> compose_chart(const ComposeRequest& request, const ComposeAnswer& answer);

}  // namespace vernier::cli
