#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/release_plans.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/release/run/prepared.hpp"

// Releases with their records, from plans that the planner made, without data and without a ledger. Compiled once,
// since a release over another source of bits is all samplers anew.
namespace vernier::testing {

using plan::BoundStatistic;
using privacy::Neighbours;

// With the sensitivities that follow from bounds and contributions.
BoundStatistic sensitive(BoundStatistic statistic, Neighbours neighbours);

// Those of the statistic's columns that are named.
BoundStatistic with_columns(BoundStatistic statistic, const std::vector<std::size_t>& columns);

struct ReleaseTerms {
  test::StudyTerms study = {.epsilon = "1"};
  ledger::Accountant accountant = ledger::Accountant::zcdp;
  std::uint64_t seed = 1;
  bool is_open = false;  // whether something was charged by divergence before
};

// Units, rows, the sum of debt, values of educ and their sum over 1; or values of educ and their sums of squares.
std::vector<RawGroup> raw_groups(const BoundStatistic& statistic);

// With the arguments, tallies and histograms that its columns need alone, numbered as bind numbers them: at their first
// use, of moments the sums before their total. The groups follow.
BoundStatistic as_bound(BoundStatistic statistic, std::vector<RawGroup>& groups);

using Answers = std::function<std::vector<RawGroup>(const BoundStatistic&)>;

release::Release released(std::vector<BoundStatistic> statistics, const ReleaseTerms& terms,
                          const Answers& answer = raw_groups);

release::Asked asked_of(const release::Release& release);
const release::SigningKey& test_key();
std::string record_of(const release::Release& release);

// One of every kind.
struct NamedRelease {
  std::string name;
  release::Release release;
};
const std::vector<NamedRelease>& kinds_of_releases();
const release::Release& kind_of_release(const std::string& name);

// Six of them with one group each, so that all of their bits can be looked at.
BoundStatistic one_group(BoundStatistic statistic);
std::vector<NamedRelease> small_releases();

}  // namespace vernier::testing
