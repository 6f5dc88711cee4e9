#include "vernier/ledger/book.hpp"

#include <random>

#include <gtest/gtest.h>

namespace vernier::ledger {
namespace {

using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
Terms pure(const char* epsilon) { return {Accountant::pure, decimal(epsilon), decimal("0")}; }
const Terms zcdp{Accountant::zcdp, decimal("3"), decimal("1e-6")};

// Entries as a ledger writes them, one after the other.
class Pen {
 public:
  explicit Pen(const Terms& terms) { write({.kind = Kind::terms, .content = canonical(terms, "id")}); }

  Pen& write(Entry entry) {
    entry.index = static_cast<std::int64_t>(entries_.size()) + 1;
    entry.hash = *hash_of(entries_.empty() ? "" : entries_.back().hash, entry);
    entries_.push_back(std::move(entry));
    return *this;
  }
  Pen& spend(std::int64_t epsilon, const std::string& analyst = "") {
    return write({.kind = Kind::reserve, .release = "r", .analyst = analyst, .cost = {epsilon, 0}});
  }
  Pen& divide(const Shares& shares) { return write({.kind = Kind::shares, .content = canonical(shares)}); }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

Result<Book> book_of(const std::vector<Entry>& entries) {
  Result<Book> book = Book::of(entries.front());
  for (std::size_t i = 1; book && i < entries.size(); ++i) {
    if (const Result<void> taken = book->take(entries[i]); !taken) return Failure(taken.error());
  }
  return book;
}
std::string fault_of(const std::vector<Entry>& entries) {
  const Result<Book> book = book_of(entries);
  return book ? "" : book.error().sentence();
}

constexpr std::int64_t tenth = 100'000'000'000'000'000;  // of a budget of 1

TEST(Book, AddsUpWhatIsSpent) {
  const Book book = *book_of(Pen(pure("1")).spend(tenth).spend(2 * tenth).entries());
  EXPECT_EQ(book.balance().left.epsilon, 7 * tenth);
  EXPECT_EQ(book.position().index, 3);
}

TEST(Book, RefusesAnEntryThatSpendsMoreThanWasLeft) {
  EXPECT_EQ(fault_of(Pen(pure("1")).spend(10 * tenth).entries()), "");
  EXPECT_EQ(fault_of(Pen(pure("1")).spend(10 * tenth).spend(1).entries()), "entry 3 spends more than was left");
  EXPECT_EQ(fault_of(Pen(pure("1")).spend(-1).entries()), "entry 2 costs less than nothing");
}

TEST(Book, RefusesEntriesThatAreMissingMovedOrRepeated) {
  const std::vector<Entry> whole = Pen(pure("1")).spend(tenth).spend(2 * tenth).spend(tenth).entries();
  EXPECT_EQ(fault_of({whole[0], whole[2], whole[3]}), "entry 3 does not follow entry 1: entries are missing or moved");
  EXPECT_NE(fault_of({whole[0], whole[1], whole[3], whole[2]}), "");
  EXPECT_NE(fault_of({whole[0], whole[1], whole[1]}), "");
  EXPECT_NE(fault_of({whole[1], whole[2]}), "");
}

// Every field of every entry, with another value; the hash of the next one does not follow either.
TEST(Book, RefusesEveryFieldThatWasChanged) {
  const std::vector<Entry> whole = Pen(pure("1")).spend(tenth).spend(2 * tenth).entries();
  using Change = void (*)(Entry&);
  const std::vector<Change> changes = {
      [](Entry& e) { e.index += 1; },        [](Entry& e) { e.kind = Kind::settle; },
      [](Entry& e) { e.time += 1; },         [](Entry& e) { e.release += "x"; },
      [](Entry& e) { e.request += "x"; },    [](Entry& e) { e.analyst += "x"; },
      [](Entry& e) { e.study += "x"; },      [](Entry& e) { e.unit += "x"; },
      [](Entry& e) { e.plan += "x"; },       [](Entry& e) { e.manner = Manner::divergence; },
      [](Entry& e) { e.cost.epsilon -= 1; }, [](Entry& e) { e.cost.delta += 1; },
      [](Entry& e) { e.content += "x"; },    [](Entry& e) { e.hash[0] = e.hash[0] == 'a' ? 'b' : 'a'; }};
  ASSERT_EQ(fault_of(whole), "");
  for (std::size_t entry = 0; entry < whole.size(); ++entry) {
    for (std::size_t change = 0; change < changes.size(); ++change) {
      std::vector<Entry> other = whole;
      changes[change](other[entry]);
      EXPECT_NE(fault_of(other), "") << entry << " " << change;
    }
  }
}

// A field may not run into the next one.
TEST(Book, TellsFieldsApart) {
  const Entry one{.index = 1, .release = "ab", .request = "c"}, other{.index = 1, .release = "a", .request = "bc"};
  EXPECT_NE(*hash_of("", one), *hash_of("", other));
}

TEST(Book, KnowsTheHashThatIsWrittenInItsPage) {
  const Entry entry{.index = 2, .kind = Kind::reserve, .time = 1, .release = "r", .plan = "p", .cost = {3, 4}};
  // printf '1:h,1:2,7:reserve,1:1,1:r,0:,0:,0:,0:,1:p,5:total,1:3,1:4,0:,' | sha256sum
  EXPECT_EQ(*hash_of("h", entry), "dc0f0b52eedc059d769a46ddbc5ab9dd2f5cebd9034c5ce11e81b18659348835");
}

TEST(Book, IsAsItWasAfterAnError) {
  const std::vector<Entry> whole = Pen(pure("1")).spend(9 * tenth).spend(2 * tenth).entries();
  Book book = *book_of({whole[0], whole[1]});
  ASSERT_FALSE(book.take(whole[2]));
  EXPECT_EQ(book.position().index, 2);
  EXPECT_EQ(book.balance().left.epsilon, tenth);
}

TEST(Book, WritesTheNextEntryAsItWouldTakeIt) {
  const std::vector<Entry> whole = Pen(pure("1")).spend(tenth).spend(2 * tenth).entries();
  Book writes = *book_of({whole[0], whole[1]}), takes = writes;
  Entry draft = whole[2];
  draft.index = 0;
  draft.hash = "";
  ASSERT_TRUE(writes.write(draft));
  EXPECT_EQ(draft, whole[2]);
  ASSERT_TRUE(takes.take(whole[2]));
  EXPECT_EQ(writes.position(), takes.position());
  EXPECT_EQ(writes.balance().left, takes.balance().left);
  draft.cost.epsilon = 8 * tenth;
  EXPECT_FALSE(writes.write(draft)) << "more than is left";
  EXPECT_EQ(writes.position(), takes.position());
}

TEST(Book, WantsTheConversionPaid) {
  const Cost opening = rules_of(zcdp)->opening;
  const auto charged = [&](std::int64_t epsilon) {
    return Pen(zcdp).write({.kind = Kind::reserve, .manner = Manner::divergence, .cost = {epsilon, opening.delta}});
  };
  EXPECT_EQ(fault_of(charged(opening.epsilon - 1).entries()), "entry 2 does not pay for the conversion");
  EXPECT_TRUE(book_of(charged(opening.epsilon).entries())->balance().is_open);
  Pen by_divergence(pure("1"));
  by_divergence.write({.kind = Kind::reserve, .manner = Manner::divergence, .cost = {1, 0}});
  EXPECT_NE(fault_of(by_divergence.entries()), "");
}

const Shares anna_and_ben = {{"anna", decimal("0.5")}, {"ben", decimal("0.3")}};
Spend asking(const std::string& analyst, std::int64_t epsilon) {
  return {.release = "r", .study = "s", .plan = "p", .unit = "row", .price = {{epsilon, 0}}, .analyst = analyst};
}

TEST(Shares, LimitWhatEachAnalystSpends) {
  const Book book = *book_of(Pen(pure("1")).divide(anna_and_ben).spend(3 * tenth, "anna").entries());
  EXPECT_EQ(book.balance_of("anna")->left.epsilon, 2 * tenth);
  EXPECT_EQ(book.balance_of("ben")->left.epsilon, 3 * tenth);
  EXPECT_FALSE(book.balance_of("carl"));
  EXPECT_TRUE(book.offer(asking("anna", 2 * tenth)));
  const Result<Offer> refused = book.offer(asking("anna", 3 * tenth));
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().sentence(),
      "in the share of 'anna', the study asks for more than is left: it costs 0.3 of epsilon, and 0.2 of "
      "0.5 is left; ask the steward for more, or for a budget of epsilon 0.2 and delta 0, which is still granted");
  EXPECT_EQ(book.offer(asking("carl", 1)).error().sentence(),
            "the budget is divided into shares, and 'carl' has no share; name one of: anna, ben");
}

TEST(Shares, AddUpWhatAnAnalystSpends) {
  Pen pen(pure("1"));
  pen.divide(anna_and_ben).spend(2 * tenth, "anna").spend(tenth, "ben").spend(2 * tenth, "anna");
  EXPECT_EQ(book_of(pen.entries())->spent_by("anna").epsilon, 4 * tenth);
  EXPECT_EQ(fault_of(pen.spend(tenth + 1, "anna").entries()), "entry 6 spends more than was left");
}

TEST(Shares, KeepTheRestInReserve) {
  const std::vector<Entry> spent =
      Pen(pure("1")).divide(anna_and_ben).spend(5 * tenth, "anna").spend(3 * tenth, "ben").entries();
  const Book book = *book_of(spent);
  EXPECT_EQ(book.balance().left.epsilon, 2 * tenth);
  EXPECT_FALSE(book.offer(asking("anna", 1)));
  EXPECT_FALSE(book.offer(asking("ben", 1)));
}

// What was spent stays spent, whoever has which share now; the whole is never exceeded.
TEST(Shares, MayBeDividedAnew) {
  Pen pen(pure("1"));
  pen.divide(anna_and_ben).spend(5 * tenth, "anna").divide({{"anna", decimal("0.1")}, {"ben", decimal("0.9")}});
  const Book book = *book_of(pen.entries());
  EXPECT_EQ(book.balance_of("anna")->left.epsilon, 0);
  EXPECT_EQ(book.balance_of("ben")->left.epsilon, 5 * tenth);
  EXPECT_EQ(fault_of(pen.spend(1, "anna").entries()), "entry 5 spends more than was left");
}

TEST(Shares, AreCheckedInTheEntriesToo) {
  EXPECT_EQ(fault_of(Pen(pure("1")).divide(anna_and_ben).spend(1, "carl").entries()), "entry 3 is paid from no share");
  EXPECT_EQ(fault_of(Pen(pure("1")).divide(anna_and_ben).spend(5 * tenth + 1, "anna").entries()),
            "entry 3 spends more than was left");
}

TEST(Shares, AreRefusedWhereTheyAreNoParts) {
  EXPECT_EQ(*shares_in(canonical(anna_and_ben)), anna_and_ben);
  EXPECT_FALSE(shares_of({{"anna", decimal("0.5")}, {"ben", decimal("0.500001")}}));
  EXPECT_FALSE(shares_of({{"anna", decimal("0.5")}, {"anna", decimal("0.1")}}));
  EXPECT_FALSE(shares_of({{"anna", decimal("0")}}));
  EXPECT_FALSE(shares_of({{"", decimal("0.1")}}));
  EXPECT_FALSE(shares_in("[[\"anna\",0.5]]"));
  EXPECT_FALSE(shares_in("{"));
}

}  // namespace
}  // namespace vernier::ledger
