#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/study.hpp"

// One change to the text of a study: everything else in it stays as it was written, comments too. What comes out was
// read again, and says what was asked; a text that is written so that it cannot be changed in place is refused.
namespace vernier::study {

// Numbers are decimals as a person writes them: "25", "0.5", "1e-7". A name is that of a statistic, a table or a
// series. The columns of a statistic have accuracies; of a [[table]] `all_cells` has one, of a series "each",
// "cumulative" and "last_7".
inline constexpr std::string_view all_cells = "cells";
Result<std::string> with_target(const Text& study, std::string_view name, std::string_view column,
                                std::string_view accuracy);
Result<std::string> without_target(const Text& study, std::string_view name, std::string_view column);
Result<std::string> with_weight(const Text& study, std::string_view name, std::string_view weight);  // of no series
// covers, denoise, simultaneous, guaranteed, clamped_share, max_groups, max_rows or typical_rows; an empty value takes
// the key away.
Result<std::string> with_choice(const Text& study, std::string_view name, std::string_view key, std::string_view value);
// Those of epsilon and delta that are given.
Result<std::string> with_budget(const Text& study, const std::optional<std::string>& epsilon,
                                const std::optional<std::string>& delta);
Result<std::string> with_alpha(const Text& study, std::string_view alpha);
Result<std::string> with_statistic(const Text& study, std::string_view name, std::string_view sql);
Result<std::string> with_sql(const Text& study, std::string_view name, std::string_view sql);  // of a statistic
Result<std::string> without_row(const Text& study, std::string_view name);

// Every accuracy that is free is held as the plan has it, and the budget, where one is stated, is the least epsilon
// that meets all of them.
Result<std::string> with_least_budget(const Text& study, const std::string& name, const Catalog& catalog);

// The weight by which the statistic gets about this share of the budget (0.4 for 40 %), within half a percent of it,
// found by at most `most_share_plans` plans. An error with the nearest share where none gets there: what has a target
// has its share by that.
inline constexpr int most_share_plans = 10;
Result<std::string> with_share(const Text& study, const std::string& name, const Catalog& catalog,
                               std::string_view statistic, double share);

}  // namespace vernier::study
