#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "asked.hpp"
#include "bindings.hpp"
#include "cli/bounds.hpp"
#include "cli/decimal.hpp"
#include "cli/limits.hpp"
#include "cli/texts.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/targets.hpp"

namespace nb = nanobind;

// Commands by value: single statements, bounds, exports, and what asks nothing of rows.
namespace vernier::python {
namespace {

using numeric::Rational;
using Terms =
    std::map<std::string, std::string>;  // epsilon, delta, alpha, max_groups and max_rows, as they are written

// The number as it was written, once its type has found it in range; none where it is not among the terms.
template <class Parameter>
Result<std::optional<Rational>> exact(const Terms& terms, const std::string& name) {
  const auto found = terms.find(name);
  if (found == terms.end()) return std::nullopt;
  VERNIER_TRY(const cli::Decimal decimal, cli::read_decimal(name, found->second));
  VERNIER_TRY(cli::rounded_down<Parameter>(decimal));
  VERNIER_TRY(const Rational number, Rational::of_decimal(found->second));
  return std::optional(number);
}

Result<std::optional<std::int64_t>> whole_in(const Terms& terms, const std::string& name, std::int64_t greatest) {
  const auto found = terms.find(name);
  if (found == terms.end()) return std::nullopt;
  VERNIER_TRY(const std::int64_t number, cli::read_whole(name, found->second));
  if (number >= 1 && number <= greatest) return std::optional(number);
  return invalid(name, "must be from 1 to " + std::to_string(greatest) + ", but it is " + found->second, "");
}

Result<study::Question> question_of(const Terms& terms) {
  study::Question question{.query = {}, .sql = {}};
  VERNIER_TRY(const std::optional<Rational> epsilon, exact<privacy::Epsilon>(terms, "epsilon"));
  VERNIER_TRY(const std::optional<Rational> delta, exact<privacy::Delta>(terms, "delta"));
  VERNIER_TRY(question.alpha, exact<Alpha>(terms, "alpha"));
  VERNIER_TRY(question.max_groups, whole_in(terms, "max_groups", query::greatest_max_groups));
  VERNIER_TRY(question.max_rows, whole_in(terms, "max_rows", query::greatest_max_rows));
  if (!epsilon) return invalid("epsilon is missing: say what it may cost", "write for example epsilon=0.1");
  question.budget = query::StudyBudget{*epsilon, delta.value_or(Rational::of(0))};
  return question;
}

// How many rows the units of a table have: `at` is the epsilon at which margins are told.
Result<study::Answer> found_limits(const study::Text& text, const std::string& table, const Terms& terms,
                                   study::Request& request) {
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::of(text));
  const auto question = study::LimitsQuestion::of(catalog, table);
  if (!question) {
    std::vector<std::string> names;
    for (const query::Table& one : catalog.content().tables) names.push_back(one.name);
    return invalid("the catalog has no table '" + seen_text(table) + "'" + suggestion(table, names));
  }
  VERNIER_TRY(const std::optional<Rational> at, exact<privacy::Epsilon>(terms, "at"));
  VERNIER_TRY(const study::Question asked, question_of(terms));
  VERNIER_TRY(const study::Study study, question->study(catalog, asked));
  VERNIER_TRY(const study::Plan plan, study.plan());
  request.documents = cli::limits_documents(*question, catalog, at.value_or(Rational::of(1)));
  return plan.release(request);
}

Result<study::Answer> found_bounds(const study::Text& text, const std::string& column, const Terms& terms,
                                   study::Request& request) {
  if (terms.contains("at")) return found_limits(text, column, terms, request);
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::of(text));
  VERNIER_TRY(const study::BoundsQuestion question, study::BoundsQuestion::of(catalog, column));
  VERNIER_TRY(const study::Question asked, question_of(terms));
  VERNIER_TRY(const study::Study study, question.study(catalog, asked));
  VERNIER_TRY(const study::Plan plan, study.plan());
  request.documents = cli::bounds_documents(question);
  return plan.release(request);
}

Told bounds(const Located& catalog, const std::string& column, const Terms& terms, const nb::dict& frames,
            const std::string& analyst, const std::string& request, bool is_same,
            const std::optional<nb::bytes>& folder, nb::object show) {
  Watcher watcher(std::move(show));
  const study::Text text = located(catalog);
  study::Request wanted{.analyst = analyst,
                        .request = request,
                        .same = is_same,
                        .folder = folder ? std::optional(string_of(*folder)) : std::nullopt,
                        .memory = memory_of(frames),
                        .progress = watcher.progress()};
  return released(watcher, [&] { return found_bounds(text, column, terms, wanted); });
}

// The statistics that an accuracy for all columns is about, by their names.
std::vector<std::string> columns_of(const Located& catalog, const std::string& sql) {
  const study::Text text = located(catalog);
  const query::Query query = without_gil(
      [&] { return study::Catalog::of(text).and_then([&](const study::Catalog& read) { return read.parse(sql); }); });
  return value_of(query::statistics_of_all(query));
}

std::string exported(const Located& catalog, const std::string& format, nb::object show) {
  Watcher watcher(std::move(show));
  const study::Text text = located(catalog);
  Result<std::string> content = [&] {
    const nb::gil_scoped_release released_lock;
    return cli::ledger_export(text, format, watcher.progress());
  }();
  watcher.raise_if_stopped();
  return value_of(std::move(content));
}

std::string printed(const std::vector<std::string>& words) {
  return without_gil([&] { return cli::printed(words); });
}

}  // namespace

void bind_asking(nb::module_& module) {
  module.def("bounds", &bounds, nb::arg("catalog"), nb::arg("column"), nb::arg("terms"), nb::arg("frames"),
             nb::arg("analyst"), nb::arg("request"), nb::arg("is_same"), nb::arg("folder").none(),
             nb::arg("show").none(), "Finds bounds of a column: what release() gives, with bounds.json.");
  module.def("columns_of", &columns_of, nb::arg("catalog"), nb::arg("sql"),
             "The statistics that an accuracy for all columns is about.");
  module.def("ledger_export", &exported, nb::arg("catalog"), nb::arg("format"), nb::arg("show").none(),
             "What `vernier ledger export` prints.");
  module.def("printed", &printed, nb::arg("words"), "What a command prints, or raises what is wrong.");
}

}  // namespace vernier::python
