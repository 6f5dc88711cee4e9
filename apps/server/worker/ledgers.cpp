#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/decimal.hpp"
#include "cli/texts.hpp"
#include "server/worker/answers.hpp"
#include "vernier/study/series.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::server {
namespace {

constexpr std::size_t most_accuracies = 20;

Result<std::vector<std::int64_t>> within_of(const Ask& ask) {
  std::vector<std::int64_t> within;
  const auto found = ask.parameters.find("within");
  if (found == ask.parameters.end()) return within;
  std::istringstream words(found->second);
  for (std::string word; std::getline(words, word, ',');) {
    VERNIER_TRY(const std::int64_t one, cli::read_whole("within", word));
    within.push_back(one);
  }
  if (within.size() > most_accuracies) return invalid("within", "takes at most 20 numbers here", "");
  return within;
}

// Of an analyst: what the budget is of, their own line, and the counts that they could have. What others spent is not
// for them: the line is of their share, and without shares of the whole, which all draw from.
std::string own_part(const std::string& shown, const std::string& name) {
  using Json = nlohmann::ordered_json;
  const Json all = Json::parse(shown);
  Json own;
  for (const char* const key : {"exists", "accountant", "neighbours", "charging", "budget"}) {
    if (all.contains(key)) own[key] = all[key];
  }
  own["analysts"] = Json::array();
  for (const Json& line : all.value("analysts", Json::array())) {
    if (line.value("analyst", "") == name) own["analysts"].push_back(line);
  }
  own["counts"] = Json::array();
  for (Json count : all.value("counts", Json::array())) {
    Json lines = Json::array();
    for (const Json& line : count["more"]) {
      if (line["analyst"].is_string() && line["analyst"] == name) lines.push_back(line);
    }
    count["more"] = std::move(lines);
    own["counts"].push_back(std::move(count));
  }
  return own.dump() + "\n";
}

// Neither where the ledger lies nor what files its entries protect is for an analyst.
std::string without_place(const std::string& history) {
  auto told = nlohmann::ordered_json::parse(history);
  told.erase("ledger");
  for (auto& entry : told["entries"]) entry.erase("content");
  return told.dump() + "\n";
}

Told json_told(std::string text) { return {200, "application/json", std::move(text)}; }

}  // namespace

Result<Told> answer_ledger(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  VERNIER_TRY(const std::vector<std::int64_t> within, within_of(ask));
  VERNIER_TRY(std::string shown, cli::ledger_show_json(text, within));
  return json_told(ask.is_steward ? std::move(shown) : own_part(shown, ask.name));
}

Result<Told> answer_export_ledger(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  const auto format = ask.parameters.find("format");
  VERNIER_TRY(std::string told, cli::ledger_export(text, format == ask.parameters.end() ? "jsonl" : format->second));
  return Told{200, "application/octet-stream", std::move(told)};
}

Result<Told> answer_history(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  std::optional<std::int64_t> last = 200;
  if (const auto found = ask.parameters.find("last"); found != ask.parameters.end()) {
    VERNIER_TRY(last, cli::read_whole("last", found->second));
  }
  const std::optional<std::string> analyst = ask.is_steward ? std::nullopt : std::optional(ask.name);
  VERNIER_TRY(std::string told, cli::ledger_history_json(text, analyst, last));
  return json_told(ask.is_steward ? std::move(told) : without_place(told));
}

Result<Told> answer_verify_ledger(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  return cli::ledger_verify_json(text).map(json_told);
}

Result<Told> answer_verify(const Ask& ask) {
  VERNIER_TRY(const std::string record, ask.text("record"));
  std::optional<std::string> pem;
  if (ask.body.contains("public_key")) {
    VERNIER_TRY(pem, ask.text("public_key"));
  }
  VERNIER_TRY(const auto key, study::expected_key(pem));
  if (!release::is_step_record(record)) return json_told(cli::verdict_json(release::verify(record, key)));
  const release::SeriesVerdict verdict = release::verify_steps({record}, key);
  return json_told(cli::verdict_json({verdict.checks, verdict.first_problem, {}, verdict.signer}));
}

}  // namespace vernier::server
