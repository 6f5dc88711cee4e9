#include "vernier/query/catalog.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const std::string folded = fold_case(name);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return fold_case(one.name) == folded; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::csv:
      return "csv";
    case SourceKind::parquet:
      return "parquet";
    case SourceKind::arrow:
      break;
  }
  return "arrow";
}

std::string_view name_of(Filter filter) {
  if (filter == Filter::pure) return "pure";
  return filter == Filter::zcdp ? "zcdp" : "rdp";
}

std::string_view name_of(Conversion conversion) {
  if (conversion == Conversion::never) return "never";
  return conversion == Conversion::early ? "early" : "worthwhile";
}

numeric::Rational Budget::reserve() const {
  numeric::Rational rest = numeric::Rational::of(shares.empty() ? 0 : 1);
  for (const BudgetShare& share : shares) rest = rest - share.part;
  return rest;
}

const Column* Table::column(std::string_view column_name) const { return named(columns, column_name); }

const Table* Catalog::table(std::string_view table_name) const { return named(tables, table_name); }

const Table* Catalog::public_table(std::string_view table_name) const { return named(public_tables, table_name); }

Result<Reading<Catalog>> examine_catalog(const std::filesystem::path& path) {
  return read_text_file(path).map([&](const std::string& text) { return examine_catalog_text(path, text); });
}

Result<Catalog> read_catalog(const std::filesystem::path& path) {
  VERNIER_TRY(Reading<Catalog> reading, examine_catalog(path));
  if (!reading.content) return Failure(first_of(path, reading.problems));
  return *std::move(reading.content);
}

}  // namespace vernier::query
