#pragma once

#include "cli/compose/compose.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"

namespace vernier::cli {

// One object: epsilon and delta, one of them with both its ends; where a scale was found, the scale, the budget asked
// and the guarantee at that scale; then the methods and the events.
void write_json(Output& output, const ComposeRequest& request, const ComposeAnswer& answer);

// The answer to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const ComposeRequest& request, const ComposeAnswer& answer);

// Delta against epsilon around the answer: both ends of the exact curve, what zCDP proves where it applies, and the
// answer as a dot.
Result<plot::Chart> compose_chart(const ComposeRequest& request, const ComposeAnswer& answer);

}  // namespace vernier::cli
