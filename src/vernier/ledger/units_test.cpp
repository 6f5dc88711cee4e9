#include "vernier/ledger/units.hpp"

#include "support/ledger_on_file.hpp"

namespace vernier::ledger {
namespace {

using testing::costing;
using testing::LedgerOnFile;
using testing::pure;
using testing::tenth;

const TableUnit people{"people", "person_id", "people.csv"};
const TableUnit regions{"regions", std::nullopt, "regions.csv"};

// As files say it.
std::string told(const BoundUnits& bound, const Units& units) {
  return spelled(bound.conflict(units).value(), plain_spelling);
}

TEST(Units, ReadBackAsTheyWereWritten) {
  const Units units = {people, regions, {"Größe \"x\"", "row", ""}};
  EXPECT_EQ(units_in(canonical(units)).value(), units);
  EXPECT_EQ(canonical({people, regions}), R"([["people","person_id","people.csv"],["regions",null,"regions.csv"]])");
  for (const char* other : {"", "[]", "{}", "[[]]", R"([["a","b"]])", R"([["a",1,"b"]])", R"([["a","b",null]])"}) {
    EXPECT_FALSE(units_in(other)) << other;
  }
}

TEST(Units, KeepTheUnitOfATableWhateverItsCase) {
  BoundUnits bound;
  bound.add({people, regions});
  EXPECT_FALSE(bound.conflict({people, regions}));
  EXPECT_FALSE(bound.conflict({{"People", "PERSON_ID", "elsewhere.csv"}}));
  EXPECT_EQ(told(bound, {{"PEOPLE", "row", "other.csv"}}),
            "has releases of the table 'people' by the unit 'person_id', but the catalog now has it by the unit 'row'; "
            "whom it protects stays: write unit = \"person_id\" back, or begin another ledger");
  EXPECT_EQ(told(bound, {{"people", std::nullopt, "people.csv"}}),
            "has releases of the table 'people' by the unit 'person_id', but the catalog now has it as public; whom it "
            "protects stays: write unit = \"person_id\" back, or begin another ledger");
  EXPECT_NE(told(bound, {{"regions", "row", "regions.csv"}}).find("write public = true back"), std::string::npos);
}

TEST(Units, KeepTheUnitOfAFileWhateverItsTableIsCalled) {
  BoundUnits bound;
  bound.add({people, {"given", "row", ""}});
  EXPECT_EQ(
      bound.conflict({{"persons", "row", "people.csv"}}).value(),
      "has releases of the file 'people.csv' by the unit 'person_id', as the table 'people', but the table "
      "'persons' has it by the unit 'row'; whom it protects stays: ask the former table, or begin another ledger");
  EXPECT_FALSE(bound.conflict({{"persons", "person_id", "people.csv"}}));
  EXPECT_FALSE(bound.conflict({{"frame", "person_id", ""}})) << "rows of the calling program are no file";
}

// A file keeps its unit among others, in a pattern, and after its table went on to other files.
TEST(Units, KeepTheUnitOfEachFile) {
  BoundUnits bound;
  bound.add({people});
  bound.add({{"people", "person_id", "2025/people.csv\n2025/more-*.csv"}});
  for (const char* source : {"people.csv", "new.csv\npeople.csv", "*.csv", "peo?le.csv", "2025/people.csv",
                             "2025/p*.csv", "2025/more-1.csv", "2025/*-1.csv", "2*/more-*.csv"}) {
    EXPECT_TRUE(bound.conflict({{"rows", "row", source}})) << source;
    EXPECT_FALSE(bound.conflict({{"others", "PERSON_ID", source}})) << source;
  }
  for (const char* source : {"", "people.csv.gz", "new.csv", "2025/new.csv", "*/people.csv.zst", "p*.parquet",
                             "?.csv/people", "2025/more-*.tsv", "2025/more/1.csv"}) {
    EXPECT_FALSE(bound.conflict({{"rows", "row", source}})) << source;
  }
}

TEST(Units, AreComparedWithACatalogWhereTablesWereReleased) {
  BoundUnits bound;
  EXPECT_FALSE(bound.conflict_of_catalog({people}));
  bound.add({people});
  EXPECT_FALSE(bound.conflict_of_catalog({people, {"rows", "row", "people.csv"}})) << "which nobody asked for";
  EXPECT_FALSE(bound.conflict_of_catalog({regions})) << "a table may go";
  EXPECT_TRUE(bound.conflict_of_catalog({{"people", "row", "people.csv"}}));
  bound.add_unit_alone("visit_id");
  EXPECT_EQ(bound.conflict_of_catalog({people}).value(),
            "has releases by the unit 'visit_id', which no table of the catalog has now; whom it protects stays: write "
            "it back, or begin another ledger");
  EXPECT_FALSE(bound.conflict_of_catalog({people, {"visits", "Visit_Id", "v.csv"}}));
  EXPECT_FALSE(bound.conflict_of_catalog({})) << "nothing is declared to compare with";
}

Spend of(const TableUnit& table, std::int64_t epsilon = tenth) {
  Spend spend = costing(epsilon);
  spend.tables = {table};
  spend.unit = table.unit.value_or("row");
  return spend;
}

class UnitsOfALedger : public LedgerOnFile {
 protected:
  std::string refusal_of(const Units& declared) const {
    Options options;
    options.units = declared;
    const auto opened = open(pure("1"), options);
    return opened ? "" : opened.error().sentence();
  }
};

// Half of the budget by person, then a catalog that says that every row is a unit: a person has a thousand rows.
TEST_F(UnitsOfALedger, AreBoundAtTheFirstReleaseOfTheTable) {
  const TableUnit by_row{"people", "row", "people.csv"};
  EXPECT_EQ(refusal_of({by_row}), "") << "nothing was released";
  ASSERT_TRUE(open().value()->reserve(of(people, 5 * tenth)));
  EXPECT_EQ(refusal_of({people}), "");
  EXPECT_EQ(refusal_of({by_row}).find("the ledger '" + path().string() + "' has releases of the table 'people' by"), 0U)
      << refusal_of({by_row});
  const auto ledger = open().value();  // opened before the catalog was edited, as another process may have it
  const Result<Reservation> refused = ledger->reserve(of(by_row, 4 * tenth));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
  EXPECT_EQ(ledger->book().balance().left.epsilon, 5 * tenth);
  EXPECT_TRUE(ledger->reserve(of(people))) << "which goes on as before";
  EXPECT_EQ(open().value()->book().units().tables().at("people"), people);
}

// Two processes opened it while it was empty.
TEST_F(UnitsOfALedger, AreThoseOfWhoeverPaidFirst) {
  const auto one = open().value(), other = open().value();
  ASSERT_TRUE(one->reserve(of(people)));
  EXPECT_FALSE(other->reserve(of({"people", "row", "people.csv"})));
  EXPECT_TRUE(other->reserve(of(people)));
}

TEST_F(UnitsOfALedger, OfEarlierVersionsMustStillBeThere) {
  Spend former = costing(tenth);  // names no table
  former.unit = "person_id";
  ASSERT_TRUE(open().value()->reserve(former));
  EXPECT_EQ(refusal_of({people}), "");
  EXPECT_NE(refusal_of({{"people", "row", "people.csv"}}).find("which no table of the catalog has now"),
            std::string::npos);
  ASSERT_TRUE(open().value()->reserve(of(people))) << "is bound at the next release";
  EXPECT_EQ(open().value()->book().units().tables().size(), 1U);
}

// Written by hand, with hashes that hold.
TEST_F(UnitsOfALedger, AreHeldAgainstEachOtherWhenItIsReplayed) {
  ASSERT_TRUE(open().value()->reserve(of(people)));
  for (const auto& [content, fault] :
       {std::pair{R"([["people","row","x.csv"]])", "is of another unit than its table or file had before"},
        std::pair{R"([["rows","row","people.csv"]])", "is of another unit than its table or file had before"},
        std::pair{"tables", "names tables in a way that this version does not know"}}) {
    Book book = open().value()->book();
    Entry forged{.kind = Kind::reserve, .release = "f", .study = "s", .unit = "row", .content = content};
    const Result<void> taken = book.write(forged);
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().sentence(), std::string("entry 3 ") + fault);
    EXPECT_EQ(book.position().index, 2);
  }
}

}  // namespace
}  // namespace vernier::ledger
