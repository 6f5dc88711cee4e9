#include "vernier/release/record/release_json.hpp"

#include <cmath>

#include "vernier/core/hash.hpp"
#include "vernier/core/version.hpp"
#include "vernier/plan/plan_json.hpp"
#include "vernier/query/value.hpp"
#include "vernier/release/record/certificate_json.hpp"
#include "vernier/release/signing/signing_key.hpp"

namespace vernier::release {
namespace {

using query::Output;

void write_figure(JsonWriter& json, double value, bool is_whole) {
  if (is_whole && std::abs(value) < 0x1p63) return json.value(static_cast<std::int64_t>(value));
  json.value(value);
}

void write_denoised(JsonWriter& json, const Number& number) {
  if (!number.denoised) return;
  json.key("denoised");
  write_figure(json, *number.denoised, number.is_whole && !number.denoised_interval);
  if (!number.denoised_interval) return;
  json.key("denoised_interval");
  json.begin_array();
  json.value(number.denoised_interval->low);
  json.value(number.denoised_interval->high);
  json.end_array();
}

// What is said of all numbers of a statistic.
struct Stated {
  double confidence;
  const query::Inference& inference;
};

void write_number(JsonWriter& json, const Number& number, bool has_fixed_margin, const Stated& stated) {
  json.begin_object();
  json.key("value");
  write_figure(json, number.value, number.is_whole);
  json.key("accuracy");
  write_figure(json, number.accuracy, number.is_whole);
  json.key("interval");
  json.begin_array();
  write_figure(json, number.interval.low, number.is_whole);
  write_figure(json, number.interval.high, number.is_whole);
  json.end_array();
  json.member("confidence", stated.confidence);
  if (stated.inference.is_simultaneous) {
    json.key("simultaneous");
    json.boolean(true);
  }
  json.member("covers", interval::name_of(number.covers));
  json.member("coverage", interval::name_of(number.coverage));
  if (!has_fixed_margin || number.covers == interval::Covers::population) {
    json.key("informative");
    json.boolean(number.informative);
    json.key("may_be_empty");
    json.boolean(number.may_be_empty);
  }
  write_denoised(json, number);
  json.end_object();
}

void write_cell(JsonWriter& json, const query::Query& query, const Row& row, Output output, const Stated& stated) {
  if (output.is_key) {
    json.key(query.keys[output.place].name);
    return query::write_value(json, row.keys[output.place]);
  }
  const query::Aggregation& aggregation = query.aggregations[output.place];
  json.key(aggregation.name);
  write_number(json, row.numbers[output.place], has_fixed_margin(aggregation.aggregate), stated);
}

void write_rows(JsonWriter& json, const query::Query& query, const Table& table, const Stated& stated) {
  json.key("rows");
  json.begin_array();
  for (const Row& row : table.rows) {
    json.begin_object();
    for (const Output& output : query.outputs) write_cell(json, query, row, output, stated);
    json.end_object();
  }
  json.end_array();
}

// How its columns were denoised, where that is asked.
void write_denoising(JsonWriter& json, const plan::BoundStatistic& statistic, const Table& table) {
  if (statistic.inference.denoise == query::Denoise::none) return;
  json.key("denoise");
  json.begin_object();
  json.member("asked", query::name_of(statistic.inference.denoise));
  json.key("columns");
  json.begin_array();
  for (const DenoisedColumn& one : table.denoised) {
    json.begin_object();
    json.member("column", std::string_view(statistic.query.aggregations[one.aggregation].name));
    json.member("used", std::string_view(one.used));
    json.member("risk", one.risk);
    json.member("coverage", interval::name_of(one.coverage));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

// The numbers of one group less those of another, where that is asked.
void write_differences(JsonWriter& json, const plan::BoundStatistic& statistic, const Table& table,
                       const Stated& stated) {
  if (statistic.inference.differences.empty()) return;
  json.key("differences");
  json.begin_array();
  for (const GroupDifference& one : table.differences) {
    json.begin_object();
    query::write_texts(json, "groups", {one.groups[0], one.groups[1]});
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      const query::Aggregation& aggregation = statistic.query.aggregations[i];
      json.key(aggregation.name);
      write_number(json, one.numbers[i], has_fixed_margin(aggregation.aggregate), stated);
    }
    json.end_object();
  }
  json.end_array();
}

void write_statistic(JsonWriter& json, const Release& release, const Asked& asked, std::size_t place) {
  const plan::BoundStatistic& statistic = release.plan.study.statistics[place];
  json.begin_object();
  json.member("name", std::string_view(statistic.name));
  json.member("sql", std::string_view(asked.sql[place]));
  plan::write_key_names(json, statistic.query);
  write_rows(json, statistic.query, release.tables[place], {confidence_of(asked.alpha), statistic.inference});
  write_denoising(json, statistic, release.tables[place]);
  write_differences(json, statistic, release.tables[place], {confidence_of(asked.alpha), statistic.inference});
  plan::write_releases(json, release.plan, place);
  json.end_object();
}

void write_receipt(JsonWriter& json, const ledger::Receipt& receipt) {
  json.key("ledger");
  json.begin_object();
  json.member("index", receipt.index);
  json.member("head", std::string_view(receipt.head));
  json.end_object();
}

void write_origin(JsonWriter& json, const Release& release) {
  json.member("catalog_hash", std::string_view(release.catalog_hash));
  json.member("plan_hash", std::string_view(release.plan_hash));
  write_receipt(json, release.receipt);
  json.key("versions");
  json.begin_object();
  json.member("vernier", version());
  json.member("engine", std::string_view(release.engine));
  json.end_object();
  query::write_texts(json, "assumptions", assumptions_of(release.plan, release.public_files, release.tables));
}

Result<void> write_all(JsonWriter& json, const Release& release, const Asked& asked, const PublicKey& key) {
  json.begin_object();
  json.member("release", std::string_view(release.id));
  json.member("study", std::string_view(asked.study));
  plan::write_protection(json, release.plan);
  json.key("statistics");
  json.begin_array();
  for (std::size_t i = 0; i < release.tables.size(); ++i) write_statistic(json, release, asked, i);
  json.end_array();
  write_origin(json, release);
  json.key("certificate");
  return write_certificate(json, release, asked, key).map([&] { json.end_object(); });
}

}  // namespace

double confidence_of(const numeric::Rational& alpha) { return nearest(numeric::Rational::of(1) - alpha); }

Result<std::vector<DocumentHash>> hashes_of(const ledger::Documents& documents) {
  std::vector<DocumentHash> hashes;
  for (const ledger::Document& one : documents) {
    VERNIER_TRY(std::string hash, sha256(one.content));
    hashes.push_back({one.name, std::move(hash)});
  }
  return hashes;
}

Result<std::string> signed_release_json(const Release& release, const Asked& asked, const SigningKey& key) {
  if (asked.sql.size() != release.tables.size()) return invalid("the release has other statistics than were asked");
  std::string text;
  JsonWriter json(text);
  VERNIER_TRY(write_all(json, release, asked, key.public_key()));
  text += "\n";
  return with_signature(std::move(text), key);
}

}  // namespace vernier::release
