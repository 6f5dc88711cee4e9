#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// The table [engine] of a catalog; the embedded engine where there is none.
Engine read_engine(TableReader& catalog, std::vector<Problem>& problems);

// Whether tables have sources that the engine can read: protected tables lie where it lies.
void refuse_foreign_sources(const Catalog& catalog, std::vector<Problem>& problems);

// Why this cannot be the address of an engine, as the end of a sentence; none where it can.
std::optional<std::string> fault_of_address(std::string_view address);

// The parts of a table's name, "public.people"; empty where one of them is.
std::vector<std::string> parts_of_name(std::string_view name);

}  // namespace vernier::query
