#pragma once

#include <optional>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/reader.hpp"

// The unit through a foreign key: unit = { via = "orders.o_orderkey", is = "o_custkey", by = "l_orderkey" }.
namespace vernier::query {

// At most so many tables lie between a table and the one that names its unit.
inline constexpr std::size_t most_steps_to_unit = 8;

// As it is written; whether there is such a table is known once all are read. The columns of the table are read.
std::optional<Via> read_via(TableReader& reader, const TomlNode& node, const TomlTable& content, const Table& table,
                            std::vector<Problem>& problems);

// Gives each table the one by way of which it has its unit.
void find_owners(std::vector<Table>& tables, const std::vector<Table>& public_tables, std::vector<Problem>& problems);

}  // namespace vernier::query
