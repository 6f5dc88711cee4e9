#include "ledger/races/forgery.hpp"
#include "ledger/races/lives.hpp"
#include "ledger/races/needed.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {

using namespace ledger;
namespace fs = std::filesystem;

namespace {

bool is_one_sentence(const std::string& words) {
  return words.size() > 20 && words.find('\n') == std::string::npos && words.back() != '.';
}

Finding accepted(const std::string& words) { return {Verdict::accepted, words}; }

// Everybody asks once more for what was paid for.
Finding finding_by_asking(Ledger& ledger, const Original& original) {
  Finding finding{Verdict::unchanged, ""};
  for (const Entry& entry : original.content.entries) {
    if (entry.kind != Kind::reserve) continue;
    Spend spend = spend_of_request(home_in(original.folder), entry.request);
    spend.analyst = entry.analyst;
    const Cost before = ledger.book().balance().left;
    const auto again = ledger.reserve(spend);
    if (!again && !is_one_sentence(again.error().sentence())) return accepted("an error without a sentence");
    if (!again) {
      finding = {Verdict::silenced, again.error().sentence()};
      if (again.error().sentence().find("failed before") != std::string::npos) return finding;
      continue;
    }
    if (std::holds_alternative<Granted>(*again)) {
      const bool paid = before - ledger.book().balance().left == entry.cost;
      return paid ? Finding{Verdict::forgotten, entry.request} : accepted("an answer for nothing");
    }
    const auto found = original.content.documents.find(entry.release);
    const auto* answered = std::get_if<Answered>(&*again);
    const bool was_answered = found != original.content.documents.end();
    if (answered != nullptr && !was_answered) return accepted(entry.request + " has an answer from nowhere");
    if (answered == nullptr && was_answered) return {Verdict::forgotten, entry.request};
    if (answered != nullptr && answered->documents != found->second)
      return accepted(entry.request + " has other bytes");
  }
  return finding;
}

}  // namespace

Finding finding_of(const Original& original, const fs::path& folder, const WitnessPlace& witness) {
  auto store = open_sqlite(folder / "ledger", Missing::is_error);
  const auto refused = [](const Error& error) {
    return is_one_sentence(error.sentence()) ? Finding{Verdict::refused, error.sentence()}
                                             : accepted("a refusal without a sentence: " + error.sentence());
  };
  if (!store) return refused(store.error());
  const auto quarter = *numeric::Rational::of_decimal("0.25");
  const auto ledger = Ledger::open(*std::move(store), forged_terms,
                                   {.witness = witness, .shares = {{"ada", quarter}, {"bo", quarter}}});
  if (!ledger) return refused(ledger.error());
  const Book book = (*ledger)->book();
  const Entry& last = original.content.entries.back();
  if (book.balance().left != original.content.left) return accepted("another balance");
  if (book.position() != Position{last.index, last.hash}) return accepted("another history");
  return finding_by_asking(**ledger, original);
}

}  // namespace vernier::testing
