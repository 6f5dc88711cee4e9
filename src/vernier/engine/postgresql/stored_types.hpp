#pragma once

#include <string>
#include <vector>

#include "vernier/engine/sql/connection.hpp"

namespace vernier::engine {

// A column of PostgreSQL by its name and its type as format_type() writes it: "numeric(10,2)".
EngineColumn postgresql_column(std::string name, std::string stored);

}  // namespace vernier::engine
