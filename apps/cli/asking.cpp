#include "cli/asking.hpp"

#include "cli/progress.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {

study::CatalogRule catalog_rule(const Arguments& arguments) {
  study::CatalogRule rule;
  if (arguments.has("--catalogs")) rule.folders.emplace_back(arguments.one("--catalogs"));
  if (arguments.has("--catalog")) rule.only = arguments.one("--catalog");
  return rule;
}

std::vector<Option> with_catalogs(std::vector<Option> options) {
  options.push_back({"--catalogs", Takes::one_value, "DIR",
                     "only a catalog inside of this folder counts, links followed; likewise VERNIER_CATALOGS"});
  return options;
}

std::vector<Option> with_study_catalog(std::vector<Option> options) {
  options.push_back(
      {"--catalog", Takes::one_value, "FILE", "the only catalog that counts: the study names this one, or none"});
  return with_catalogs(std::move(options));
}

study::Request request_of(const Arguments& arguments, study::MakeDocuments documents) {
  study::Request request{.documents = std::move(documents)};
  if (arguments.has("--analyst")) request.analyst = arguments.one("--analyst");
  if (arguments.has("--request")) request.request = arguments.one("--request");
  return request;
}

std::vector<Option> with_asker(std::vector<Option> options) {
  options.push_back(
      {"--analyst", Takes::one_value, "NAME", "who asks: whose share of the budget pays, where there are shares"});
  options.push_back({"--request", Takes::one_value, "ID",
                     "an id of your own: asked again with it, the same answer is given and nothing is charged"});
  return options;
}

Result<study::Answer> release_watched(const study::Plan& plan, study::Request request) {
  TerminalProgress terminal("running");
  request.progress = terminal.watching();
  return plan.release(request);
}

}  // namespace vernier::cli
