#pragma once

#include <string>

#include "vernier/study/series.hpp"

// Under which names the ledger has a series.
namespace vernier::study {

// The request by which the whole series is reserved: one for a study of this name.
std::string reservation_of(const SeriesStudy& study);

// The release, and the request, of what is published at this place of the chain. Whoever stores an answer to it first
// has published; no other one is stored.
std::string continuation_of(const ledger::Entry& reservation, std::int64_t place);

// The documents of what is published at this place, as they were stored.
Result<ledger::Documents> stored_step(const SeriesStudy& study, const ledger::Entry& reservation, std::int64_t place);

}  // namespace vernier::study
