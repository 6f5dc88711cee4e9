#pragma once

#include <filesystem>

#include "vernier/ledger/ledger.hpp"

namespace vernier::testing {

// A file with so many entries, reserve and settle by turns as releases leave them, written in one transaction; the
// documents of settled ones are not in it. For terms_of_units(100000000).
void write_long_ledger(const std::filesystem::path& path, const ledger::Terms& terms, std::int64_t entries);

}  // namespace vernier::testing
