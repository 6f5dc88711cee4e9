#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/study/limits.hpp"
#include "vernier/study/release.hpp"

namespace vernier::cli {

inline constexpr std::string_view limits_name = "limits.json";

// How many rows units have: `vernier bounds CATALOG TABLE`.
Result<void> run_limits(const Arguments& arguments, const study::Catalog& catalog,
                        const study::LimitsQuestion& question, Output& output);

// limits.json, which is made from the counts of the record, and the text for a person.
study::MakeDocuments limits_documents(const study::LimitsQuestion& question, const study::Catalog& catalog,
                                      const numeric::Rational& at);

// What is cut off and what noise adds, by max_rows.
plot::Chart limits_chart(const study::LimitsAnswer& answer, const numeric::Rational& at);

}  // namespace vernier::cli
