#include "vernier/audit/released.hpp"

#include <nlohmann/json.hpp>

namespace vernier::audit {
namespace {

using Json = nlohmann::json;

// Numbers that a double cannot hold are texts.
double end_of(const Json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

Group group_of(const Json& row, const Json& noisy, const Json& columns) {
  Group group{row.at("k").get<std::int64_t>(), noisy.get<std::vector<std::int64_t>>(), {}};
  for (const Json& column : columns) {
    const Json& interval = row.at(column.at("column").get<std::string>()).at("interval");
    group.intervals.push_back({end_of(interval.at(0)), end_of(interval.at(1))});
  }
  return group;
}

Released released_of(const Json& record) {
  const Json& statistic = record.at("statistics").at(0);
  const Json& proof = record.at("certificate").at("statistics").at(0);
  Released released{record.at("guarantee").at("epsilon").get<double>(),
                    record.at("guarantee").at("delta").get<double>(),
                    std::nullopt,
                    {},
                    {},
                    record.at("versions").at("engine").get<std::string>()};
  if (const Json& keys = proof.at("private_keys"); !keys.is_null())
    released.threshold = keys.at("threshold").get<double>();
  const Json& columns = statistic.at("releases");
  for (const Json& column : columns) {
    released.columns.push_back({column.at("mechanism").get<std::string>(), column.at("scale").get<double>(),
                                column.at("sensitivity").get<std::int64_t>(), column.at("granularity").get<double>()});
  }
  const Json &rows = statistic.at("rows"), &noisy = proof.at("noisy");
  for (std::size_t i = 0; i < rows.size(); ++i) released.groups.push_back(group_of(rows[i], noisy.at(i), columns));
  return released;
}

}  // namespace

std::optional<IntegerLaw> Column::law() const {
  if (mechanism == "geometric") {
    const auto law = LaplaceScale::of(scale).and_then(noise::Geometric::of);
    if (law) return *law;
  }
  if (mechanism == "discrete-gaussian") {
    const auto law = Sigma::of(scale).and_then(noise::DiscreteGaussian::of);
    if (law) return *law;
  }
  return std::nullopt;
}

Result<Released> read_released(std::string_view json) {
  try {
    return released_of(Json::parse(json));
  } catch (const std::exception&) {
    return fail(ErrorKind::system, "the program's record of a release is not as this audit knows it",
                "use the audit of "
                "the same version");
  }
}

}  // namespace vernier::audit
