#include "vernier/ledger/lines.hpp"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "vernier/core/hash.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using nlohmann::json;
using numeric::Rational;

constexpr int version = 1;
constexpr std::size_t hash_digits = 64;

Result<Line> signed_line(const json& body) {
  const std::string text = body.dump(-1, ' ', true, json::error_handler_t::replace);
  return sha256(text).map([&](const std::string& hash) { return Line{hash, hash + " " + text + "\n"}; });
}

Failure broken(std::string_view name, std::size_t line, const std::string& how) {
  return invalid("the ledger '" + std::string(name) + "' does not hold: line " + std::to_string(line) + " " + how +
                 "; nothing is released against it, so bring back the file as it was written");
}

// The text of a field; none where it is missing or of another type.
std::optional<std::string> text_field(const json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::int64_t> integer_field(const json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::optional<Rational> fraction_field(const json& body, const char* key) {
  const std::optional<std::string> text = text_field(body, key);
  const auto read = text ? Rational::of_fraction(*text) : invalid("");
  return read ? std::optional(*read) : std::nullopt;
}

std::optional<Accountant> accountant_named(std::string_view name) {
  for (const Accountant one : {Accountant::pure, Accountant::approximate, Accountant::zcdp, Accountant::rdp}) {
    if (name_of(one) == name) return one;
  }
  return std::nullopt;
}

std::string_view name_of(Manner manner) { return manner == Manner::total ? "total" : "divergence"; }

std::optional<Manner> manner_named(std::string_view name) {
  for (const Manner one : {Manner::total, Manner::divergence}) {
    if (name_of(one) == name) return one;
  }
  return std::nullopt;
}

std::optional<Terms> terms_in(const json& body) {
  const auto accountant = accountant_named(text_field(body, "accountant").value_or(""));
  const auto epsilon = fraction_field(body, "epsilon"), delta = fraction_field(body, "delta");
  if (!accountant || !epsilon || !delta) return std::nullopt;
  return Terms{*accountant, *epsilon, *delta};
}

std::optional<std::vector<Rational>> amounts_in(const json& body) {
  const auto found = body.find("amounts");
  if (found == body.end() || !found->is_array()) return std::nullopt;
  std::vector<Rational> amounts;
  for (const json& one : *found) {
    const auto read = one.is_string() ? Rational::of_fraction(one.get<std::string>()) : invalid("");
    if (!read) return std::nullopt;
    amounts.push_back(*read);
  }
  return amounts;
}

std::optional<Entry> entry_in(const json& body) {
  const auto release = text_field(body, "release"), study = text_field(body, "study"), plan = text_field(body, "plan");
  const auto manner = manner_named(text_field(body, "manner").value_or(""));
  const auto amounts = amounts_in(body);
  if (!release || !study || !plan || !manner || !amounts) return std::nullopt;
  return Entry{*release, *study, *plan, {*manner, *amounts}};
}

// The lines with their hashes checked, one after the other.
class Reader {
 public:
  Reader(std::string_view name, std::string_view text) : name_(name), rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  const std::string& head() const { return head_; }
  Failure is_broken(const std::string& how) const { return broken(name_, number_, how); }

  Result<json> next() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) {
      return is_broken("is cut off, as a crash while it was written leaves it, or a damaged disk");
    }
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return checked(line);
  }

 private:
  Result<json> checked(std::string_view line) {
    if (line.size() <= hash_digits || line[hash_digits] != ' ') return is_broken("is none of a ledger");
    const std::string_view text = line.substr(hash_digits + 1);
    const Result<std::string> hash = sha256(text);
    if (!hash) return Failure(hash.error());
    if (line.substr(0, hash_digits) != *hash) return is_broken("was changed after it was written");
    json body = json::parse(text, nullptr, false);
    if (!body.is_object() || integer_field(body, "version") != version) return is_broken("has another version than 1");
    if (integer_field(body, "index") != std::int64_t(number_) - 1 || text_field(body, "previous") != head_) {
      return is_broken("does not follow the line before it");
    }
    head_ = *hash;
    return body;
  }

  std::string_view name_, rest_;
  std::size_t number_ = 0;
  std::string head_;
};

}  // namespace

Result<Line> line_of(const Terms& terms) {
  return signed_line({{"version", version},
                      {"index", 0},
                      {"previous", ""},
                      {"accountant", name_of(terms.accountant)},
                      {"epsilon", terms.epsilon.text()},
                      {"delta", terms.delta.text()}});
}

Result<Line> line_of(const Entry& entry, std::int64_t index, std::string_view previous) {
  json amounts = json::array();
  for (const Rational& amount : entry.taken.amounts) amounts.push_back(amount.text());
  return signed_line({{"version", version},
                      {"index", index},
                      {"previous", previous},
                      {"release", entry.release},
                      {"study", entry.study},
                      {"plan", entry.plan_hash},
                      {"manner", name_of(entry.taken.manner)},
                      {"amounts", amounts}});
}

Result<Contents> read_lines(std::string_view name, std::string_view text) {
  Reader reader(name, text);
  const Result<json> first = reader.next();
  if (!first) return Failure(first.error());
  const std::optional<Terms> terms = terms_in(*first);
  if (!terms) return reader.is_broken("states no terms");
  Contents contents{*terms, {}, {}};
  while (!reader.at_end()) {
    const Result<json> body = reader.next();
    if (!body) return Failure(body.error());
    std::optional<Entry> entry = entry_in(*body);
    if (!entry) return reader.is_broken("is no entry");
    contents.entries.push_back(*std::move(entry));
  }
  contents.head = reader.head();
  return contents;
}

}  // namespace vernier::ledger
