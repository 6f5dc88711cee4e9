#include "vernier/release/verify/verify.hpp"

#include <array>
#include <exception>

#include "vernier/release/signing/signing_key.hpp"
#include "vernier/release/verify/examination.hpp"

namespace vernier::release {
namespace {

struct Step {
  std::string_view name;
  std::string_view what;
  Finding (*look)(Examination&);
};

// In this order; each may rest on what those before it have shown.
constexpr std::array<Step, 15> steps = {{
    {"sensitivities", "sensitivities and ranges recomputed from bounds and contributions", check_sensitivities},
    {"sharing", "what is charged once: copied integers are the same, and rows exclude each other", check_sharing},
    {"total", "epsilon and delta recomputed by composing all events", check_total},
    {"events", "events recomputed from the measurements", check_events},
    {"accuracies", "accuracies recomputed from the laws at alpha", check_accuracies},
    {"key_rules", "thresholds of private keys, and their deltas, recomputed", check_key_rules},
    {"shares", "shares of the cost recomputed", check_shares},
    {"tables", "noise and accuracies of all tables recomputed from their columns", check_tables},
    {"plan", "hash of the plan that the record states", check_plan},
    {"rows", "rows have declared keys, or pass the threshold", check_rows},
    {"intervals", "numbers and intervals recomputed from the noisy integers", check_numbers},
    {"derived", "denoised values and differences recomputed from the noisy integers", check_derived},
    {"charge", "charge of the ledger recomputed by its theorem", check_charge},
    {"assumptions", "assumptions follow from the plan", check_assumptions},
    {"scales", "scales recomputed from targets and budget, as this version plans", check_scales},
}};

void examine(Verdict& verdict, std::string_view text, const std::optional<PublicKey>& expected) {
  const Result<PublicKey> signer = signer_of(text, expected);
  if (!signer) return void(verdict.first_problem = signer.error().sentence());
  verdict.signer = *signer;
  verdict.checks.push_back({"signature", "signature of the whole text", 1});
  Result<Record> record = read_record(text);
  if (!record) return void(verdict.first_problem = "record: " + record.error().sentence());
  verdict.record = *record;
  Examination all(*std::move(record));
  for (const Step& step : steps) {
    const Finding found = step.look(all);
    if (!found) return void(verdict.first_problem = found.error().sentence());
    if (step.look == check_tables && *found == 0) continue;  // most records have none
    verdict.checks.push_back({step.name, step.what, *found});
  }
}

}  // namespace

Result<PublicKey> signer_of(std::string_view text, const std::optional<PublicKey>& expected) {
  const Result<SignedText> parts = signed_text(text);
  if (!parts) return invalid(after("signature: ", parts.error()));
  const Result<PublicKey> named = PublicKey::of_hex(parts->public_key);
  if (!named) return invalid(after("signature: ", named.error()));
  if (expected && !(*expected == *named)) {
    return invalid("signature: the record is signed by the key " + named->fingerprint() + " and not by the key " +
                   expected->fingerprint() + " that was given");
  }
  if (!named->verifies(parts->content, parts->signature)) {
    return invalid("signature: it is not that of this text; the record was changed, or never signed by this key");
  }
  return *named;
}

Verdict verify(std::string_view text, const std::optional<PublicKey>& expected) {
  Verdict verdict;
  try {
    examine(verdict, text, expected);
  } catch (const std::exception&) {
    verdict.first_problem =
        "the figures of the record cannot be recomputed: they are outside of what a release can have";
  }
  return verdict;
}

}  // namespace vernier::release
