#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

// Whom a ledger protects. A sum of epsilons bounds what is lost by one kind of unit; a table whose unit were another
// one halfway would have two sums, and neither bound holds for both (ledger.md, "Units").
namespace vernier::ledger {

// A table that a release reads, as the catalog declares it.
struct TableUnit {
  std::string table;
  std::optional<std::string> unit;  // the column that names the unit, or "row"; none: the table is public
  std::string source = {};          // its files, as they are found from the ledger, one a line; * and ? stand for any
                                    // characters of a name; empty: rows of the calling program

  friend bool operator==(const TableUnit&, const TableUnit&) = default;
};
using Units = std::vector<TableUnit>;

// Whether they have the same unit, or are both public.
bool is_same_unit(const TableUnit& a, const TableUnit& b);

// One text for the entry of a release, and back.
std::string canonical(const Units& units);
Result<Units> units_in(std::string_view canonical);

std::vector<std::string> files_of(const TableUnit& table);

// That a file which was released as one table is declared as another, of another unit; the rest of a sentence that
// begins with the ledger.
std::string conflict_of_file(const std::string& file, const TableUnit& bound, const TableUnit& now);

// What the releases of a ledger fixed so far: a table keeps its unit, and so does a file, whatever its table is called,
// whichever files that table has now, and whatever other files it is read with.
class BoundUnits {
 public:
  // Why these tables cannot be released, as the rest of a sentence that begins with the ledger; none where they can.
  std::optional<std::string> conflict(const Units& released) const;

  // Likewise of all that a catalog declares: only tables that were released are compared, by name. Releases of earlier
  // versions named their unit and no table: some table must still have it.
  std::optional<std::string> conflict_of_catalog(const Units& declared) const;

  void add(const Units& released);
  void add_unit_alone(const std::string& unit) { alone_.insert(unit); }  // of an earlier version

  using Tables = std::map<std::string, TableUnit, std::less<>>;  // by name, whatever its case
  const Tables& tables() const { return tables_; }

  // By file or pattern: the table as which it was released last.
  const Tables& files() const { return files_; }

 private:
  Tables tables_;
  Tables files_;
  std::set<std::string, std::less<>> alone_;
};

}  // namespace vernier::ledger
