#include <array>
#include <optional>
#include <string_view>

#include "answer.hpp"
#include "cli/calibrate/question.hpp"
#include "cli/calibrate/report.hpp"
#include "cli/compose/compose.hpp"
#include "cli/coverage/coverage.hpp"
#include "cli/decimal.hpp"
#include "cli/texts.hpp"
#include "study.hpp"
#include "tongue.hpp"
#include "vernier/core/version.hpp"
#include "vernier/study/verify.hpp"

// What is asked without data.
namespace vernier::r {
namespace {

using cli::Decimal;
using cli::Given;

Result<std::optional<Decimal>> decimal(const Given& given, std::string_view name) {
  if (!given.has(name)) return std::nullopt;
  return cli::read_decimal(name, given.one(name)).map([](const Decimal& read) { return std::optional(read); });
}

Result<cli::Stated> stated(const Given& given) {
  VERNIER_TRY(const auto epsilon, decimal(given, "epsilon"));
  VERNIER_TRY(const auto scale, decimal(given, "scale"));
  VERNIER_TRY(const auto accuracy, decimal(given, "accuracy"));
  VERNIER_TRY(const auto delta, decimal(given, "delta"));
  VERNIER_TRY(const Decimal alpha, cli::read_decimal("alpha", given.one("alpha")));
  return cli::Stated{epsilon, scale, accuracy, delta, alpha};
}

Result<cli::Subject> subject(const Given& given) {
  VERNIER_TRY(const cli::Written sensitivity, cli::read_written("sensitivity", given.one("sensitivity")));
  const auto calibration =
      given.has("calibration") ? std::optional<std::string_view>(given.one("calibration")) : std::nullopt;
  return cli::subject_named(given.one("mechanism"), sensitivity, calibration);
}

Result<Texts> calibrate(const Given& given) {
  VERNIER_TRY(const cli::Subject asked, subject(given));
  VERNIER_TRY(const cli::Stated known, stated(given));
  VERNIER_TRY(cli::check_stated(asked, known, false));
  VERNIER_TRY(const std::int64_t count, cli::read_whole("cells", given.one("cells")));
  VERNIER_TRY(const accuracy::Cells cells, accuracy::Cells::of(count));
  VERNIER_TRY(const cli::Question question, cli::question_of(asked, known));
  VERNIER_TRY(const cli::Answer answer, cli::answer_to(asked, cells, question));
  cli::Output output;
  cli::write_json(output, {asked, cells, {}, {question}, {}, true}, {answer});
  return Texts{output.text()};
}

Result<Texts> compose(const Given& given) {
  return cli::compose_json(given).map([](std::string text) { return Texts{std::move(text)}; });
}

// The catalog as R made it, with all its problems.
Result<Texts> catalog(const Given& given) { return Texts{cli::catalog_json(catalog_text(given), r_spelling)}; }

Result<Texts> study(const Given& given) {
  VERNIER_TRY(const study::Study read, study_of(given));
  Texts names;
  for (const query::Statistic& one : read.question.statistics) names.push_back(one.name);
  return names;
}

Result<Texts> plan(const Given& given) {
  VERNIER_TRY(const study::Study asked, study_of(given));
  std::vector<Decimal> what_if;
  if (given.has("what_if")) {
    for (const std::string& text : given.all("what_if")) {
      VERNIER_TRY(const Decimal epsilon, cli::read_decimal("what_if", text));
      what_if.push_back(epsilon);
    }
  }
  VERNIER_TRY(const cli::PlanAnswer answer, cli::plan_of(asked, text_of(given, "analyst"), what_if));
  return Texts{cli::plan_json(answer), cli::plan_text(answer)};
}

Result<Texts> verify(const Given& given) {
  const auto pem = given.has("public_key") ? std::optional(given.one("public_key")) : std::nullopt;
  VERNIER_TRY(const auto key, study::expected_key(pem));
  if (given.has("record")) return Texts{cli::verdict_json(release::verify(given.one("record"), key))};
  VERNIER_TRY(const release::Verdict verdict, study::verify(given.one("place"), key));
  return Texts{cli::verdict_json(verdict)};
}

Result<Texts> version(const Given&) { return Texts{std::string(vernier::version())}; }

struct Named {
  std::string_view name;
  Result<Texts> (*answer)(const Given&);
};
constexpr std::array<Named, 7> questions = {{{"version", version},
                                             {"calibrate", calibrate},
                                             {"compose", compose},
                                             {"catalog", catalog},
                                             {"study", study},
                                             {"plan", plan},
                                             {"verify", verify}}};

}  // namespace
}  // namespace vernier::r

extern "C" vernier_answer* vernier_ask(const char* question, const vernier_word* words, size_t count) {
  using namespace vernier;
  return r::answered([&]() -> Result<r::Texts> {
    for (const r::Named& one : r::questions) {
      if (one.name == question) return one.answer(r::given(words, count));
    }
    return invalid("there is no such question", "ask one that vernier_r.h names");
  });
}

extern "C" vernier_answer* vernier_coverage(const vernier_word* words, size_t count, const double* values,
                                            size_t length, vernier_watch watch) {
  using namespace vernier;
  return r::answered([&]() -> Result<r::Texts> {
    cli::Given asked = r::given(words, count);
    std::optional<cli::CoverageValues> own;
    if (values != nullptr) own = cli::CoverageValues{{values, values + length}, r::text_of(asked, "origin")};
    asked.values.erase("origin");
    return cli::coverage_json(asked, own, r::watched(watch)).map([](std::string text) {
      return r::Texts{std::move(text)};
    });
  });
}
