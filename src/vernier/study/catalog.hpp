#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/table_set.hpp"

// The steward's catalog as the front door takes it: from a file or a text, and only one that counts.
namespace vernier::study {

// A catalog, a study or a record, and where it lies or would lie: what it names is found from that folder, and
// sentences begin with this path, line and column. "census/<study>" is a study that a program made.
struct Text {
  std::filesystem::path path;
  std::string text;
};
Result<Text> read_text(const std::filesystem::path& path);  // of a file

// Which catalogs count. An analyst writes the study, and a study names a catalog: with one of their own they would have
// another budget and another ledger over the same data. Whoever runs the program can say which catalog it must be, and
// an installation in which folder it must lie: VERNIER_CATALOGS, which is among the folders of every rule.
struct CatalogRule {
  std::optional<std::filesystem::path> only = {};   // no study may name another
  std::vector<std::filesystem::path> folders = {};  // it must lie inside of each
};

// Where to read the catalog by the rule and by that of the installation. Where folders are given, it is the file behind
// all links, so that what it names beside itself is found in the steward's folder and never beside somebody's link to
// it; an error where that is not inside of them. So is a VERNIER_CATALOGS that is no absolute path: what it means may
// not depend on where the program was started.
Result<std::filesystem::path> counted_catalog(const std::filesystem::path& named, const CatalogRule& rule = {});

// What reads data without protection, or opens what a failure closed, is for whoever keeps the catalogs: an error where
// the installation says which of them count, since whoever asks there may be anybody.
Result<void> check_kept_for_stewards(std::string_view what);

// The catalog to read for a study that names this one, or none: the only one that counts, if there is one.
Result<std::filesystem::path> catalog_of(const std::filesystem::path& study, const std::filesystem::path& named,
                                         const CatalogRule& rule = {});

// A catalog that counts, read once with all that it names; the hash of its text goes into every release.
class Catalog {
 public:
  static Result<Catalog> read(const std::filesystem::path& path, const CatalogRule& rule = {});
  static Result<Catalog> of(const Text& text, const CatalogRule& rule = {});

  const query::Catalog& content() const { return content_; }
  const std::string& text() const { return text_; }

  // What a statement asks of it.
  Result<query::Query> parse(std::string_view sql) const;

  // Of one with GROUP BY CUBE, ROLLUP or GROUPING SETS: its tables, without a name; none of another.
  Result<std::optional<query::TableSet>> tables_of(std::string_view sql) const;

 private:
  static Result<Catalog> from(const Text& counted);
  Catalog(query::Catalog content, std::string text) : content_(std::move(content)), text_(std::move(text)) {}

  query::Catalog content_;
  std::string text_;
};

// What a text declares, or everything that is wrong with it; whether it counts is not asked.
query::Reading<query::Catalog> examine(const Text& catalog);

}  // namespace vernier::study
