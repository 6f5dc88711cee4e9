#pragma once

#include <string>
#include <string_view>

#include "vernier/study/series.hpp"

// What later steps need of one that was published, as the ledger keeps it beside the record: a hundredth of its bytes.
// It is written to no folder.
namespace vernier::study {

inline constexpr std::string_view measured_name = "measured.txt";

// The noisy numbers of a step. Each text names the one before by its hash, so that the last one vouches for all.
std::string text_of(const StandingStep& step);
Result<StandingStep> read_measured(std::string_view text);

// Documents for whoever asked: without what the ledger keeps for itself.
ledger::Documents shown(ledger::Documents documents);

}  // namespace vernier::study
