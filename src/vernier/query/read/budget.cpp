#include "vernier/query/read/budget.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80; }));
}

Rational read_part(TableReader& budget, const TomlEntry& entry) {
  const std::string subject = "the share of " + in_quotes(entry.key);
  const auto part = number_of(entry.node);
  if (part && *part > Rational::of(0) && *part <= Rational::of(1)) return *part;
  budget.refuse(
      entry.node.place,
      subject + " must be a part of the budget, a number above 0 and at most 1, but it is " + described(entry.node));
  return Rational::of(0);
}

BudgetShare read_share(TableReader& budget, const TomlEntry& entry) {
  if (const auto fault = fault_of_analyst(entry.key)) {
    budget.refuse(entry.place, "an analyst cannot have this name, since " + *fault, "choose another");
  }
  return {entry.key, read_part(budget, entry)};
}

}  // namespace

std::optional<std::string> fault_of_analyst(std::string_view name) {
  if (auto fault = fault_of_name(name)) return fault;
  if (characters_of(name) <= longest_analyst) return std::nullopt;
  return "it is longer than " + std::to_string(longest_analyst) + " characters";
}

std::vector<BudgetShare> read_shares(TableReader& budget) {
  const TomlNode* const node = budget.find("shares");
  const TomlTable* const entries = budget.table("shares", term(Term::share_list));
  if (entries == nullptr) return {};
  if (entries->empty()) {
    budget.refuse(node->place, term(Term::shares) + " names nobody",
                  "write for example " + term(Term::share) +
                      ", or leave it out so that everybody "
                      "spends from the whole");
  }
  std::vector<BudgetShare> shares;
  Rational sum = Rational::of(0);
  for (const TomlEntry& entry : *entries) sum = sum + shares.emplace_back(read_share(budget, entry)).part;
  if (sum > Rational::of(1)) {
    budget.refuse(node->place, "the shares of " + term(Term::budget) + " are more than the whole",
                  "their parts add up to at most 1, and what is in no "
                  "share is the reserve");
  }
  return shares;
}

namespace {

// What privacy::Epsilon and privacy::Delta take, as exact decimals.
constexpr const char* least_epsilon = "1e-10";
constexpr const char* greatest_epsilon = "1e4";
constexpr const char* least_delta = "1e-300";
constexpr const char* greatest_delta = "0.5";

bool lies_between(const Rational& value, const char* least, const char* greatest) {
  return Rational::of_decimal(least).value() <= value && value <= Rational::of_decimal(greatest).value();
}

Rational read_epsilon(TableReader& reader) {
  const TomlNode* const node = reader.require("epsilon", toml("epsilon = 1.0"));
  const auto epsilon = reader.number("epsilon");
  if (!epsilon) return Rational::of(1);
  if (!lies_between(*epsilon, least_epsilon, greatest_epsilon)) {
    reader.refuse(node->place, reader.subject("epsilon"),
                  std::string("must be between ") + least_epsilon + " and " + greatest_epsilon + ", but it is " +
                      described(*node),
                  {});
  }
  return *epsilon;
}

Rational read_delta(TableReader& reader) {
  const auto delta = reader.number("delta");
  if (!delta) return Rational::of(0);
  if (*delta != Rational::of(0) && !lies_between(*delta, least_delta, greatest_delta)) {
    const TomlNode& node = *reader.find("delta");
    reader.refuse(node.place, reader.subject("delta"),
                  std::string("must be 0 or between ") + least_delta + " and " + greatest_delta + ", but it is " +
                      described(node),
                  {});
  }
  return *delta;
}

std::optional<std::string> read_ledger(TableReader& reader, const std::string& usual) {
  auto ledger = reader.text("ledger", usual);
  if (!ledger) return std::nullopt;
  if (const auto fault = fault_of_text(*ledger)) {
    reader.refuse(reader.find("ledger")->place, reader.subject("ledger"),
                  "must be a file or a postgresql:// address, but " + *fault, "leave it out for " + usual);
  }
  return ledger;
}

// Why this is not the name of one file on this machine; none where it is.
std::optional<std::string> fault_of_witness(const std::string& witness, const std::string& ledger) {
  if (auto fault = fault_of_text(witness)) return fault;
  if (witness.starts_with('~')) return "it begins with ~";
  if (witness.find("://") != std::string::npos) return "it is an address";
  if (witness.ends_with('/')) return "it is a folder";
  if (witness == ledger) return "it is the ledger itself";
  return std::nullopt;
}

constexpr std::string_view no_witness = "none";  // a file of that name is "./none"

std::optional<std::string> read_witness(TableReader& reader, const std::string& ledger) {
  auto witness = reader.text("witness", "/var/lib/vernier/census.witness");
  if (!witness || *witness == no_witness) return witness;
  if (const auto fault = fault_of_witness(*witness, ledger)) {
    reader.refuse(reader.find("witness")->place, reader.subject("witness"),
                  "must be the path of one file apart from the ledger, but " + *fault,
                  "leave it out for one in the state folder of whoever releases");
  }
  return witness;
}

Conversion read_conversion(TableReader& reader, Filter accountant) {
  const auto name = reader.word("conversion", {"worthwhile", "never", "early"});
  if (!name) return Conversion::worthwhile;
  if (accountant == Filter::pure) {
    reader.refuse(reader.find("conversion")->place, reader.subject("conversion"),
                  "belongs to the accountants zcdp and rdp", "leave it out");
  }
  return *name == "never" ? Conversion::never : *name == "early" ? Conversion::early : Conversion::worthwhile;
}

Filter read_accountant(TableReader& reader, const Rational& delta) {
  const bool is_pure = delta == Rational::of(0);
  const auto name = reader.word("accountant", {"zcdp", "rdp", "pure"});
  if (!name) return is_pure ? Filter::pure : Filter::zcdp;
  if (is_pure && *name != "pure") {
    reader.refuse(reader.find("accountant")->place, reader.subject("accountant"),
                  "is " + *name + ", which proves nothing at delta 0",
                  "write " + toml("delta = 1e-6") + ", or " + toml("accountant = \"pure\""));
  }
  return *name == "pure" ? Filter::pure : *name == "zcdp" ? Filter::zcdp : Filter::rdp;
}

}  // namespace

PrivacyBudget read_privacy_budget(TableReader& reader) {
  Rational epsilon = read_epsilon(reader);
  return {std::move(epsilon), read_delta(reader)};
}

Budget read_budget(TableReader& reader, const std::string& usual_ledger) {
  PrivacyBudget budget = read_privacy_budget(reader);
  const std::optional<std::string> named = read_ledger(reader, usual_ledger);
  std::string ledger = named.value_or(usual_ledger);
  const Filter accountant = read_accountant(reader, budget.delta);
  const auto witness = read_witness(reader, ledger);
  const bool without_witness = witness == no_witness;
  const Conversion conversion = read_conversion(reader, accountant);
  std::vector<BudgetShare> shares = read_shares(reader);
  reader.finish();
  return {.epsilon = std::move(budget.epsilon),
          .delta = std::move(budget.delta),
          .ledger = std::move(ledger),
          .accountant = accountant,
          .witness = without_witness ? std::nullopt : std::optional<std::filesystem::path>(witness),
          .shares = std::move(shares),
          .without_witness = without_witness,
          .names_ledger = named.has_value(),
          .conversion = conversion};
}

}  // namespace vernier::query
