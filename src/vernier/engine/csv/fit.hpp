#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"

// How the cells of a file fit what its catalog declares. The counts are exact and tell of the data: they are for the
// steward alone, who has the file, and nothing of them may reach an analyst.
namespace vernier::engine {

struct ColumnFit {
  std::string name;
  std::int64_t empty = 0;    // cells without text, or that say that nothing is known
  std::int64_t unread = 0;   // cells that are nothing in the declared type and count as NULL
  std::int64_t outside = 0;  // values that are moved to the nearer bound
  std::int64_t no_key = 0;   // values that are none of the public keys, whose rows are in no group, or under the rest
  bool is_text = false;      // so that what cannot be read of it is no UTF-8
  bool has_rest = false;     // whether these count under a key of their own
  std::string advice =
      {};  // the line of the catalog by which most of the unread cells could be read; empty: none known
};

struct TableFit {
  std::int64_t rows = 0;
  std::int64_t no_object = 0;  // lines of a file of JSON that are no object: rows with nothing in them
  std::vector<ColumnFit> columns;
};

// Of a table whose source is CSV or JSON lines; reads all of it.
Result<TableFit> fit_of(const query::Catalog& catalog, const query::Table& table);

}  // namespace vernier::engine
