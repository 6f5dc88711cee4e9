#pragma once

#include "vernier/plan/bound_study.hpp"
#include "vernier/query/made.hpp"

// The steps of bind: what a statement sees of its tables, which numbers it measures, and what it counts beside them.
namespace vernier::plan {

// The table that a statement sees: the columns of the public tables stand behind those of the protected one.
struct JoinedTables {
  query::Table table;
  std::vector<BoundJoin> joins;
  std::optional<BoundPerUnit> per_unit = {};  // then the table is what that makes of the joined rows
};

// Of a statement whose table it is.
Result<JoinedTables> tables_of(const query::Query& query, const query::Table& table, const query::Catalog& catalog);

// What is added up for each unit of the rows of the table.
Result<BoundPerUnit> bind_per_unit(const query::PerUnit& asked, const query::Table& rows);

// The sentence of an error says which join the catalog does not allow; the SQL front door has told it before.
Result<JoinedTables> join_tables(const query::Table& table, const std::vector<query::Join>& joins,
                                 const query::Catalog& catalog);

// The rows over which a part of a made table has its columns: with `per_unit` what that makes of those in `table`.
Result<JoinedTables> rows_of_part(const query::MadePart& part);

// The table with a row limit that holds of joined rows. Of one unit max_rows count in a group, and each unit has a row
// in the table on the left, so that no number counts more than max_rows times as many.
query::Table limited(const JoinedTables& joined, std::int64_t max_rows);

// Whether rows of several protected tables may stand for a population. A sentence that begins behind the name of the
// statistic.
Result<void> check_population(const query::Inference& inference, const query::Table& table, const JoinedTables& joined);

// A [[table]] whose statement was read; the subject of an error is for the caller to add.
Result<BoundTables> bind_tables(const query::TableSet& asked, const query::Query& query, const JoinedTables& joined,
                                Alpha alpha);

// The numbers of one statistic: what is counted, and what gets noise.
//
// Fills arguments, tallies and measurements of a statistic whose other parts are there. An error names the published
// column.
Result<void> bind_measurements(BoundStatistic& statistic);

// Whether what is made of statistics, and the choice of rows by them, can go with what else is asked. A sentence that
// begins behind the name of the statistic.
Result<void> check_formulas(const BoundStatistic& statistic);

// clamped_share = true: how many rows were moved to a bound, published beside what the bounds have changed.
//
// Asks, for every different argument of SUM, AVG, VARIANCE, STDDEV, QUANTILE, MIN and MAX in which something can be
// moved to a bound, also COUNT(CASE WHEN IS_CLAMPED(x) THEN 1 END) AS <name>_clamped, with the name of the first that
// has the argument; not where the statement asks that itself. Refused where nothing can be moved, and where the name is
// taken.
Result<void> ask_clamped_counts(query::Query& query);

// Lets each of these measurements tell the column in which its moved rows are counted.
void name_clamped_counts(BoundStatistic& statistic);

// Whether it is such a count, which serves another column and takes a small part of the budget.
bool counts_clamped(const BoundStatistic& statistic, const Measurement& measurement);

// Its weight beside the other columns: their noise grows by a tenth at most. Beside COUNT(*) and AVG(x) at delta 0 it
// takes a twentieth of the budget, with Gaussian noise about a hundredth.
inline constexpr double clamped_weight = 0.1;

}  // namespace vernier::plan
