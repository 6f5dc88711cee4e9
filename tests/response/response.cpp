#include "response/response.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "vernier/core/text.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/study/documents.hpp"

namespace vernier::response {
namespace {

using Json = nlohmann::ordered_json;

// Of counts and sums the accuracy follows from the plan, but for sums beside a variance, which allow for the noisy
// number of rows; of means it depends on noise.
void mask_number(Json& number, bool is_beside_variance) {
  const bool is_mean = number.contains("informative");
  number["value"] = number["interval"] = nullptr;
  if (is_mean || is_beside_variance) number["accuracy"] = nullptr;
  if (is_mean) number["informative"] = number["may_be_empty"] = nullptr;
}

// The columns that are measured together with another one.
std::set<std::string> measured_together(const Json& releases) {
  std::set<std::string> names;
  for (const Json& one : releases) {
    if (!one.contains("shared_with")) continue;
    names.insert(one["column"].get<std::string>());
    names.insert(one["shared_with"].get<std::string>());
  }
  return names;
}

// How many rows and numbers there are stays.
void mask_noisy(Json& rows) {
  for (Json& row : rows) {
    for (Json& number : row) number = nullptr;
  }
}

std::string masked(const std::string& text) {
  Json json = Json::parse(text);
  json["release"] = json["ledger"] = nullptr;  // drawn afresh; an index, and a hash over what was drawn
  json["certificate"]["public_key"] = json["certificate"]["signature"] = nullptr;
  for (Json& statistic : json["certificate"]["statistics"]) mask_noisy(statistic["noisy"]);
  for (Json& statistic : json["statistics"]) {
    const std::set<std::string> together = measured_together(statistic["releases"]);
    for (Json& row : statistic["rows"]) {
      for (auto& [name, cell] : row.items()) {
        if (cell.is_object()) mask_number(cell, together.contains(name));
      }
    }
  }
  return json.dump();
}

std::string price_of(const ledger::Cost& left_before, const ledger::Cost& left_after) {
  const ledger::Cost price = left_before - left_after;
  return std::to_string(price.epsilon) + "; " + std::to_string(price.delta);
}

std::string shape_of(const std::string& csv) {
  return csv.substr(0, csv.find('\n')) + " " + std::to_string(std::count(csv.begin(), csv.end(), '\n'));
}

}  // namespace

std::string text_of(const Response& response) { return response.status + "\n" + response.body + "\n" + response.price; }

Response response_of(const study::Study& asked, const plan::Plan& plan, engine::Session& session,
                     ledger::Ledger& ledger, const Tamper& tamper) {
  const ledger::Cost before = ledger.book().balance().left;
  Result<random::Source*> source = random::thread_source();
  Result<release::Release> release =
      release::run(plan, session, ledger, **source, {asked.name, "catalog", nobody_watches});
  Response response{"published", "", {}, price_of(before, ledger.book().balance().left)};
  if (!release) {
    response.status = release.error().sentence();
    return response;
  }
  if (tamper) tamper(*release);
  const release::SigningKey key = release::SigningKey::generate().value();
  response.body = masked(release::signed_release_json(*release, study::asked_of(asked), key).value());
  for (std::size_t i = 0; i < release->tables.size(); ++i) {
    const release::Shown shown(plan.study.statistics[i], release->tables[i]);
    response.files.push_back(shape_of(study::release_csv(shown.statistic().query, shown.table())));
  }
  return response;
}

}  // namespace vernier::response
