#pragma once

#include <duckdb.h>

#include "vernier/query/value.hpp"

namespace vernier::engine {

// How the engine stores values of a type: those of query::column_type().
inline duckdb_type stored_type(query::Type type) {
  switch (type) {
    case query::Type::boolean:
      return DUCKDB_TYPE_BOOLEAN;
    case query::Type::integer:
      return DUCKDB_TYPE_BIGINT;
    case query::Type::real:
      return DUCKDB_TYPE_DOUBLE;
    case query::Type::string:
      return DUCKDB_TYPE_VARCHAR;
    case query::Type::date:
      break;
  }
  return DUCKDB_TYPE_DATE;
}

}  // namespace vernier::engine
