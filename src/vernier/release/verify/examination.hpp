#pragma once

#include <optional>
#include <string_view>

#include "vernier/release/record/record.hpp"
#include "vernier/release/signing/signing_key.hpp"

// The parts of `verify`: each looks at one kind of fact and returns how many there were, or the first that does not
// hold.
namespace vernier::release {

struct Examination {
  Record record;
  plan::BoundStudy study;          // as stated, with the sensitivities that follow
  std::optional<plan::Plan> plan;  // everything that follows from the study and the stated laws

  explicit Examination(Record read) : record(std::move(read)), study(record.plan.study) {}
};

using Finding = Result<std::int64_t>;

Finding check_sensitivities(Examination& all);  // fills the study
Finding check_sharing(Examination& all);
Finding check_total(Examination& all);  // fills the plan
Finding check_events(Examination& all);
Finding check_scales(Examination& all);
Finding check_accuracies(Examination& all);
Finding check_key_rules(Examination& all);
Finding check_shares(Examination& all);
Finding check_tables(Examination& all);
Finding check_plan(Examination& all);
Finding check_rows(Examination& all);
Finding check_numbers(Examination& all);
Finding check_derived(Examination& all);
Finding check_charge(Examination& all);
Finding check_assumptions(Examination& all);

// Whose key signed the whole text, which must be the expected one where there is one.
Result<PublicKey> signer_of(std::string_view text, const std::optional<PublicKey>& expected);

// Fills the designs of the study's tables, from what is stated of them.
Result<void> design_all_tables(Examination& all);

// From here on the scales of contrasts are the stated ones, which are near those of the designs but not of their bits.
Result<void> take_stated_laws(Examination& all);

// That a number of rows may be public, and is the same wherever the statistic has it.
Result<void> check_public_count(const Examination& all, std::size_t statistic);

// How much a figure may differ between machines, whose functions agree but for their last digits: relatively.
inline constexpr double last_digits = 1e-12;
// How much may be stated more than is needed.
inline constexpr double overstated = 1e-9;

// Whether a stated figure is the one that was found, but for this part of the larger of the two, or of `size`. Only
// finite figures are close to others: an infinity is nothing but itself.
bool is_close(double stated, double found, double relative, double size = 0);

// "statistic 'income by region', income": where something does not hold.
std::string place_of(const plan::BoundStatistic& statistic, const plan::Measurement& measurement);
std::string place_of(const plan::BoundStatistic& statistic);

// The sentence of everything that does not hold.
Failure differs(const std::string& place, const std::string& what, const std::string& stated,
                const std::string& should_be);

}  // namespace vernier::release
