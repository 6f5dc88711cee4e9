#include "vernier/query/expression/moment.hpp"

#include <chrono>
#include <random>

#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/tables.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/query.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

namespace chrono = std::chrono;
using testing::DuckDbSession;

constexpr std::int64_t least = first_day.number * ticks_of_day, most = (last_day.number + 1) * ticks_of_day - 1;

Expression time_at(std::int64_t ticks) { return *apply(Operation::instant, {literal(ticks)}); }

std::string value_of(DuckDbSession& session, const Expression& x) {
  const auto row = session.run("SELECT " + rendered(x));
  return row ? row->front() : session.error();
}

TEST(Moment, ReadsTextsAsTheyAreWritten) {
  EXPECT_EQ(read_instant("1970-01-01"), 0);
  EXPECT_EQ(read_instant("1970-01-02 01:02"), ticks_of_day + 3720 * ticks_of_second);
  EXPECT_EQ(read_instant("1970-01-01T00:00:01.5Z"), 1'500'000);
  EXPECT_EQ(read_instant("1969-12-31 23:59:59.9999999"), -1);
  for (const char* const none : {"", "1970-01-01 ", "1970-01-01 24:00", "1970-01-01 1:00", "1970-01-01 00:60",
                                 "1970-01-01 00:00:60", "1970-02-29 00:00", "1970-01-01 00:00:00.",
                                 "1970-01-01 00:00:00.1234567890", "1970-01-01 00:00+02", "0000-01-01"}) {
    EXPECT_FALSE(read_instant(none)) << none;
  }
  EXPECT_EQ(text_of_instant(least), "0001-01-01 00:00:00");
  EXPECT_EQ(text_of_instant(most), "9999-12-31 23:59:59.999999");
}

TEST(Moment, OfATextIsWhatItsReaderSays) {
  DuckDbSession session;
  ASSERT_TRUE(session.run("CREATE TABLE people (t VARCHAR)"));
  const std::vector<std::string> texts{"2020-02-29",           "2020-02-29 10:11",
                                       "2020-02-29T10:11:12Z", "1969-12-31 23:59:59.5",
                                       "0001-01-01 00:00:00",  "9999-12-31 23:59:59.1234567",
                                       "2020-02-30",           "2020-02-29 24:00",
                                       "2020-02-29 10:60",     "2020-02-29 10:11:60",
                                       "2020-02-29 10",        "x"};
  const Expression ticks = *apply(Operation::read_instant, {column(testing::column_of("t", Type::string))});
  for (const std::string& text : texts) {
    ASSERT_TRUE(session.run("DELETE FROM people") && session.run("INSERT INTO people VALUES ('" + text + "')"));
    const auto row = session.run("SELECT coalesce(CAST(" + rendered(ticks) + " AS VARCHAR), 'none') FROM people");
    ASSERT_TRUE(row) << session.error();
    const std::optional<std::int64_t> read = read_instant(text);
    EXPECT_EQ(row->front(), read ? std::to_string(*read) : "none") << text;
  }
}

TEST(Moment, HasThePartsOfTheCalendar) {
  std::mt19937_64 bits(3);
  DuckDbSession session;
  for (int i = 0; i < 60; ++i) {
    const auto ticks = least + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(most - least));
    const chrono::sys_time<chrono::microseconds> clock{chrono::microseconds(ticks)};
    const auto day = chrono::floor<chrono::days>(clock);
    const chrono::hh_mm_ss time{clock - day};
    const Expression x = time_at(ticks);
    EXPECT_EQ(value_of(session, **time_part("hour", x)), std::to_string(time.hours().count()));
    EXPECT_EQ(value_of(session, **time_part("minute", x)), std::to_string(time.minutes().count()));
    EXPECT_EQ(value_of(session, **time_part("second", x)), std::to_string(time.seconds().count()));
    EXPECT_EQ(value_of(session, *cast(x, Type::string)), text_of_instant(ticks));
    EXPECT_EQ(value_of(session, *date_part(DatePart::year, x)),
              std::to_string(static_cast<int>(chrono::year_month_day(day).year())));
  }
}

TEST(Moment, GoesByInBothDirections) {
  DuckDbSession session;
  const Expression early = time_at(-1), late = time_at(ticks_of_day + 1);
  const Expression apart = *apply(Operation::subtract, {late, early});
  EXPECT_TRUE(is_elapsed(apart));
  EXPECT_EQ(value_of(session, apart), std::to_string(ticks_of_day + 2));
  EXPECT_EQ(value_of(session, *units_between(ticks_of_day, early, late)), "2");
  EXPECT_EQ(value_of(session, *truncated_to(ticks_of_unit("hour"), early)), std::to_string(-ticks_of_unit("hour")));
  EXPECT_TRUE(is_instant(*apply(Operation::add, {early, apart})));
  EXPECT_FALSE(apply(Operation::add, {early, late}));
  EXPECT_FALSE(apply(Operation::multiply, {early, literal(std::int64_t{2})}));
  EXPECT_FALSE(cast(early, Type::integer));
}

TEST(Moment, StandsBesideTextsAndDays) {
  const Expression x = time_at(5);
  EXPECT_TRUE(apply(Operation::less, {x, literal(std::string("2020-01-01 10:00"))}));
  EXPECT_TRUE(apply(Operation::less, {x, literal(Day{3})}));
  EXPECT_FALSE(apply(Operation::less, {time_at(2 * ticks_of_day), literal(std::string("10:00"))}));
  EXPECT_TRUE(apply(Operation::less, {x, literal(std::string("10:00"))}));
  EXPECT_FALSE(apply(Operation::less, {x, literal(std::int64_t{3})}));
  EXPECT_TRUE(is_instant(*apply(Operation::coalesce, {x, literal(Day{3})})));
}

// Behind the last day and before the first there is none.
TEST(Moment, AddsDaysWithinTheYears) {
  DuckDbSession session;
  const auto days = [&](Day day, std::int64_t count) {
    return value_of(session, *apply(Operation::add_days, {literal(day), literal(count)}));
  };
  EXPECT_EQ(days(*read_day("2020-02-28"), 2), "2020-03-01");
  EXPECT_EQ(days(first_day, last_day.number - first_day.number), "9999-12-31");
  EXPECT_EQ(days(last_day, 1), "NULL");
  EXPECT_EQ(days(first_day, INT64_MIN), "NULL");
  EXPECT_EQ(days(last_day, INT64_MAX), "NULL");
}

}  // namespace
}  // namespace vernier::query
