#include <fmt/format.h>

#include "cli/errors.hpp"
#include "cli/json.hpp"
#include "cli/rounded_text.hpp"
#include "cli/verify.hpp"

namespace vernier::cli {
namespace {

using release::Record;
using release::Verdict;

std::string protected_text(const Record& record) {
  const bool is_row = !record.plan.study.catalog.tables.front().unit;
  const std::string whom = is_row ? "a row" : fmt::format("a '{}'", one_line(record.unit));
  return record.plan.study.neighbours == privacy::Neighbours::replace ? "what the data says of " + whom
                                                                      : "whether " + whom + " is in the data";
}

void write_guarantee(Output& output, const Verdict& verdict, bool key_was_given) {
  const plan::Plan& plan = verdict.record->plan;
  output.write(fmt::format("\nprotected: {}, with epsilon {}, delta {} ({}, by {})\n", protected_text(*verdict.record),
                           rounded_up_text(plan.epsilon), rounded_up_text(plan.delta.value()),
                           privacy::name_of(plan.study.neighbours), accounting::name_of(plan.method)));
  output.write(fmt::format("signed by the key {}\n", verdict.signer->fingerprint()));
  output.write(key_was_given ? "which is the key that was given\n"
                             : "the record itself names this key: give --public-key to know who it is\n");
}

// Whoever verifies the record alone may take its neighbours for verified, too.
void write_what_is_left(Output& output, const Verdict& verdict) {
  const std::size_t files = verdict.record->documents.size();
  if (files == 0 || verdict.checks.back().name == "documents") return;
  output.write(fmt::format("{} published beside it {} not looked at: give the folder to check {}, too\n",
                           files == 1 ? "the file" : fmt::format("the {} files", files), files == 1 ? "was" : "were",
                           files == 1 ? "it" : "them"));
}

}  // namespace

void write_verdict(Output& output, const Verdict& verdict, bool key_was_given) {
  std::vector<Line> lines;
  for (const release::Check& check : verdict.checks) {
    lines.push_back({std::string(check.name), std::to_string(check.count), std::string(check.what)});
  }
  write_lines(output, lines);
  if (!verdict.holds()) return;
  write_guarantee(output, verdict, key_was_given);
  write_what_is_left(output, verdict);
}

void write_verdict_json(Output& output, const Verdict& verdict) {
  JsonWriter json(output);
  json.begin_object();
  json.key("holds");
  json.boolean(verdict.holds());
  json.member("first_problem",
              verdict.first_problem ? std::optional<std::string_view>(*verdict.first_problem) : std::nullopt);
  json.member("signer", verdict.signer ? std::optional<std::string_view>(verdict.signer->fingerprint()) : std::nullopt);
  json.key("checks");
  json.begin_array();
  for (const release::Check& check : verdict.checks) {
    json.begin_object();
    json.member("name", check.name);
    json.member("what", check.what);
    json.member("count", check.count);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  output.write("\n");
}

}  // namespace vernier::cli
