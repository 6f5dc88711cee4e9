#include "vernier/release/inference_json.hpp"

#include "vernier/release/record_statistic.hpp"

namespace vernier::release {
namespace {

using query::Denoise;
using query::Difference;
using query::Inference;

constexpr std::size_t most_differences = 1'000'000;

void write_differences(JsonWriter& json, const std::vector<Difference>& differences) {
  json.key("differences");
  json.begin_array();
  for (const Difference& pair : differences) {
    json.begin_array();
    for (const std::string& key : pair) json.value(std::string_view(key));
    json.end_array();
  }
  json.end_array();
}

std::vector<Difference> read_differences(Fields& fields) {
  std::vector<Difference> differences;
  for (const Json& pair : fields.list("differences", most_differences)) {
    if (!pair.is_array() || pair.size() != 2) {
      fields.refuse("differences", "must be of two groups each");
      break;
    }
    const std::string place = fields.where("differences");
    differences.push_back({text_in(fields.reading(), pair[0], place), text_in(fields.reading(), pair[1], place)});
  }
  return differences;
}

void write_flag(JsonWriter& json, std::string_view name, bool value) {
  json.key(name);
  json.boolean(value);
}

}  // namespace

void write_inference(JsonWriter& json, const Inference& inference) {
  if (inference == Inference{}) return;
  json.key("inference");
  json.begin_object();
  json.member("covers", std::string_view(inference.of_population ? "population" : "sample"));
  write_flag(json, "guaranteed", inference.is_guaranteed);
  write_flag(json, "simultaneous", inference.is_simultaneous);
  write_flag(json, "clamped_share", inference.has_clamped_share);
  json.member("denoise", name_of(inference.denoise));
  write_differences(json, inference.differences);
  json.end_object();
}

Inference read_inference(Fields& certified) {
  if (!certified.has("inference")) return {};
  Fields fields = certified.object("inference");
  const std::string covers = fields.text("covers");
  if (covers != "population" && covers != "sample") fields.refuse("covers", "must be sample or population");
  Inference read{.of_population = covers == "population",
                 .is_guaranteed = fields.boolean("guaranteed"),
                 .is_simultaneous = fields.boolean("simultaneous"),
                 .has_clamped_share = fields.boolean("clamped_share"),
                 .denoise = read_name(fields, "denoise",
                                      {Denoise::none, Denoise::least_risk, Denoise::james_stein,
                                       Denoise::soft_threshold, Denoise::consistent}),
                 .differences = read_differences(fields)};
  if (read == Inference{}) certified.refuse("inference", "must be left out where all is as usual");
  fields.done();
  return read;
}

}  // namespace vernier::release
