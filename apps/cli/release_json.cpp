#include "cli/release_json.hpp"

#include "vernier/release/key_file.hpp"

namespace vernier::cli {

release::Asked asked_of(const AskedStudy& asked) {
  std::vector<std::string> sql;
  for (const query::Statistic& statistic : asked.study.statistics) sql.push_back(statistic.sql);
  return {asked.name, std::move(sql), asked.study.alpha};
}

Result<std::string> release_json(const AskedStudy& asked, const release::Release& release) {
  return release::installation_key().and_then(
      [&](const release::SigningKey& key) { return release::signed_release_json(release, asked_of(asked), key); });
}

}  // namespace vernier::cli
