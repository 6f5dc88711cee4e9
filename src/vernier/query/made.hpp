#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"

// Tables that a statement makes: SELECT ... FROM t WHERE ... UNION ALL SELECT ... FROM u, or rows that are added up for
// each unit. Each row of one is made of rows of one unit, and names it, so that they are protected, joined and counted
// as those of any other table (plan/bind/made.md).
namespace vernier::query {

// One SELECT: its columns over the rows of a table, which others are joined to.
struct MadePart {
  Table table;  // protected; as it is declared, or made itself
  std::vector<Join> joins = {};
  std::vector<Table> others = {};         // of each join, as it is declared
  std::optional<PerUnit> per_unit = {};   // of the joined rows
  std::optional<Expression> filter = {};  // of what comes out of that
  std::vector<Key> columns = {};          // the unit first
};

struct MadeRows {
  std::vector<MadePart>
      parts;  // one behind the other; columns of all have the names of the first ones, and their types
};

// The table of that name; a sentence where the parts do not go together.
Result<Table> made_table(const std::string& name, MadeRows rows);

// What the columns of a part are made of: the rows of its table, joined and added up.
Table rows_of(const MadePart& part);

// The catalog with the tables that a statement makes.
Catalog with_made(const Catalog& catalog, const std::vector<MadeTable>& made);

// The tables of a catalog that a table's rows come from, through whatever is made of them: itself where it is one.
std::vector<Table> sources_of(const Table& table);

// The column of the table of a catalog that a column is, as it is there.
struct Origin {
  const Table* table;
  std::string column;
};
std::optional<Origin> origin_of(const Table& table, const std::string& column);

// SELECT ... UNION ALL SELECT ...
std::string canonical(const MadeRows& rows);

}  // namespace vernier::query
