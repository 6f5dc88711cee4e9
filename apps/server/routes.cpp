#include "server/routes.hpp"

#include <algorithm>

#include "server/access/guard.hpp"

namespace vernier::server {
namespace {

constexpr std::size_t no_body = 0, small_body = 4096, usual_body = std::size_t{1} << 18,
                      catalog_body = std::size_t{1} << 20, record_body = std::size_t{1} << 24;

std::vector<std::string_view> parts_of(std::string_view pattern) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = pattern.substr(1); !rest.empty();) {
    parts.push_back(rest.substr(0, rest.find('/')));
    rest.remove_prefix(std::min(rest.size(), parts.back().size() + 1));
  }
  return parts;
}

bool is_open(std::string_view part) { return part.front() == '{'; }

std::string_view name_in(std::string_view part) { return part.substr(1, part.size() - 2); }
bool may_be_missing(std::string_view field) { return field.back() == '?'; }
std::string_view plain(std::string_view field) {
  return field.substr(0, field.size() - (may_be_missing(field) ? 1 : 0));
}

bool matches(const std::vector<std::string_view>& parts, const std::vector<std::string>& segments) {
  return std::equal(parts.begin(), parts.end(), segments.begin(), segments.end(),
                    [](std::string_view part, const std::string& segment) { return is_open(part) || part == segment; });
}

Matched matched(const Route& route, const std::vector<std::string>& segments, std::string_view target) {
  Matched found{&route, {}};
  const auto parts = parts_of(route.pattern);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_open(parts[i])) found.parameters[std::string(name_in(parts[i]))] = segments[i];
  }
  for (const std::string_view name : route.query) {
    if (auto value = query_value(target, plain(name))) found.parameters[std::string(plain(name))] = *std::move(value);
  }
  return found;
}

}  // namespace

// A new route is one line here. Literal addresses stand before those with a name in them.
// clang-format off
const std::vector<Route>& routes() {
  static const std::vector<Route> all = {
      {"GET", "/healthz", nobody_asked, By::front, "healthz", no_body, "whether the server runs"},
      {"GET", "/readyz", nobody_asked, By::front, "readyz", no_body, "whether it takes new work"},
      {"GET", "/metrics", stewards, By::front, "metrics", no_body, "counts for Prometheus"},
      {"GET", "/api/v1/openapi.json", nobody_asked, By::front, "openapi", no_body, "this description"},
      {"POST", "/api/v1/session", nobody_asked, By::front, "begin-session", small_body, "a session for a token", {"token"}},
      {"DELETE", "/api/v1/session", readers, By::front, "end-session", no_body, "ends the session"},
      {"GET", "/api/v1/me", readers, By::front, "me", no_body, "who asks, and what they may"},
      {"GET", "/ticket/{ticket}", nobody_asked, By::front, "use-ticket", no_body, "a document, once, for a link"},
      {"GET", "/api/v1/catalogs", readers, By::worker, "catalogs", no_body, "the catalogs below the root"},
      {"GET", "/api/v1/catalogs/{catalog}", readers, By::worker, "catalog", no_body,
       "what a catalog declares, as 'vernier catalog check --json', and the studies beside it"},
      {"POST", "/api/v1/calibrate", readers, By::worker, "calibrate", small_body, "as 'vernier calibrate --json'",
       {"mechanism", "epsilon?", "scale?", "accuracy?", "delta?", "alpha?", "sensitivity?", "cells?", "calibration?", "sweep?"}},
      {"POST", "/api/v1/law", readers, By::worker, "law", small_body, "as 'vernier law --json'; at most 10,000 draws",
       {"mechanism", "scale", "density?", "cumulative?", "tail?", "quantile?", "sample?"}},
      {"POST", "/api/v1/compose", readers, By::worker, "compose", usual_body, "as 'vernier compose --json'",
       {"event", "delta?", "epsilon?", "solve?", "neighbours?", "tightness?"}},
      {"POST", "/api/v1/coverage", readers, By::worker, "coverage", small_body,
       "as 'vernier coverage --json' of an invented population; at most 200 simulations",
       {"distribution", "epsilon", "size", "statistic?", "fraction?", "covers?", "alpha?", "lower?", "upper?",
        "granularity?", "delta?", "simulations?", "mechanism?", "interval?", "guaranteed?", "public_count?"}},
      {"POST", "/api/v1/catalogs/new", stewards, By::worker, "new-catalog", small_body,
       "a catalog to fill in, with the column names of a data file below the root", {"file"}},
      {"POST", "/api/v1/catalogs/{catalog}/check", stewards, By::worker, "check-catalog", catalog_body,
       "everything that is wrong with a catalog's text, each with its line", {"text"}},
      {"PUT", "/api/v1/catalogs/{catalog}", stewards, By::worker, "put-catalog", catalog_body,
       "writes the catalog; 'before' is the hash of the text that it takes the place of, \"\" where there is none",
       {"text", "before"}},
      {"GET", "/api/v1/files", stewards, By::worker, "files", no_body, "the data files below the root, by name"},
      {"POST", "/api/v1/study/check", analysts, By::worker, "check-study", usual_body,
       "everything that is wrong with a study, and what its statements ask for", {"catalog", "study", "name?"}, {}, Pace::plan},
      {"POST", "/api/v1/plan", analysts, By::worker, "plan", usual_body,
       "as 'vernier plan --json', with the study's text after the edit, the plan's hash, the risk in words and texts to show; "
       "422 with 'needs', 'culprit' and 'best' where targets need more than the budget",
       {"catalog", "study", "name?", "edit?"}, {}, Pace::plan},
      {"POST", "/api/v1/what-if", analysts, By::worker, "what-if", usual_body,
       "as 'vernier plan --what-if --json' for FIRST:LAST:POINTS or for a list of epsilons; at most 41 points",
       {"catalog", "study", "name?", "epsilon?", "epsilons?"}, {}, Pace::heavy},
      {"POST", "/api/v1/counts", analysts, By::worker, "counts", usual_body,
       "what would be left after the study, as so many more counts within ±20, ±100 and ±500 at 95 %",
       {"catalog", "study", "name?"}, {}, Pace::plan},
      {"POST", "/api/v1/rehearse", analysts, By::worker, "rehearse", usual_body,
       "the plan on invented rows, by the samplers and the interval makers of a release; no data is opened",
       {"catalog", "study", "name?", "sizes?", "values?", "frames?"}, {}, Pace::heavy},
      {"POST", "/api/v1/verify", readers, By::worker, "verify", record_body, "as 'vernier verify --json'",
       {"record", "public_key?"}, {}, Pace::verify},
      {"POST", "/api/v1/releases", analysts, By::release, "release", usual_body,
       "runs the plan with this hash, once for each Idempotency-Key, and charges whoever asks; of series a step of them",
       {"catalog", "study", "plan_hash", "name?", "step?"}, {}, Pace::release},
      {"GET", "/api/v1/releases", analysts, By::worker, "releases", no_body, "what was paid for: one's own, or all of a steward's",
       {}, {"catalog"}},
      {"GET", "/api/v1/events", analysts, By::front, "events", no_body, "what happens to one's own releases, as text/event-stream"},
      {"DELETE", "/api/v1/releases/{key}", analysts, By::front, "stop-release", no_body,
       "takes back a release that waits; ?spent=yes also stops one that may be paid for, and stays so", {}, {"spent?"}},
      {"GET", "/api/v1/releases/{key}", analysts, By::front, "release-state", no_body, "how far the release with this key is",
       {}, {"catalog?"}},
      {"GET", "/api/v1/releases/{release}/documents/{document}", analysts, By::worker, "document", no_body,
       "a file of a release, as it was stored", {}, {"catalog"}},
      {"POST", "/api/v1/releases/{release}/ticket", analysts, By::front, "new-ticket", small_body,
       "an address that gives a document once, within a minute", {"catalog", "document"}},
      {"POST", "/api/v1/releases/{release}/publish", stewards, By::worker, "publish", small_body,
       "lets readers have the release and its documents", {"catalog"}},
      {"GET", "/api/v1/published", readers, By::worker, "published", no_body, "what was published"},
      {"DELETE", "/api/v1/published/{release}", stewards, By::worker, "unpublish", no_body, "takes it back from readers"},
      {"GET", "/api/v1/published/{release}/{document}", readers, By::worker, "published-document", no_body,
       "a file of a release that was published, as it was stored"},
      {"GET", "/public", nobody_asked, By::worker, "public", no_body,
       "what was published, for everybody, where the server was started with --public"},
      {"GET", "/public/{release}/{document}", nobody_asked, By::worker, "public-document", no_body,
       "a file of it, published for everybody too"},
      {"GET", "/api/v1/ledgers/{catalog}", analysts, By::worker, "ledger", no_body,
       "as 'vernier ledger show --json'; of an analyst their own line", {}, {"within?"}},
      {"GET", "/api/v1/ledgers/{catalog}/history", analysts, By::worker, "history", no_body,
       "as 'vernier ledger history --json'; of an analyst their own entries", {}, {"last?"}},
      {"GET", "/api/v1/ledgers/{catalog}/export", stewards, By::worker, "export-ledger", no_body,
       "as 'vernier ledger export': jsonl or registry", {}, {"format?"}},
      {"GET", "/api/v1/tokens", stewards, By::front, "tokens", no_body, "who has a token, in which role, until when"},
      {"POST", "/api/v1/tokens", stewards, By::front, "new-token", small_body, "a token for a person, told once",
       {"name", "role", "days?"}},
      {"DELETE", "/api/v1/tokens/{token}", stewards, By::front, "end-token", no_body, "takes a token away"},
      {"GET", "/api/v1/audit", stewards, By::front, "audit", no_body, "the last lines of the audit log", {}, {"last?"}},
      {"POST", "/api/v1/ledgers/{catalog}/verify", stewards, By::worker, "verify-ledger", small_body,
       "as 'vernier ledger verify --json'"},
  };
  return all;
}
// clang-format on

Found route_of(std::string_view method, std::string_view target) {
  const auto segments = segments_of(target);
  Found found;
  if (!segments) return found;
  for (const Route& route : routes()) {
    if (!matches(parts_of(route.pattern), *segments)) continue;
    if (route.method == method) return {matched(route, *segments, target), false};
    found.is_method_wrong = true;
  }
  return found;
}

}  // namespace vernier::server
