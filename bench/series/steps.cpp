#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "bench/contender.hpp"
#include "vernier/series/accuracy.hpp"
#include "vernier/study/series.hpp"
#include "vernier/study/session.hpp"

// Milliseconds of a series, in one process: the choice of a matrix, and a step with a year of steps before it.
//   bench_series_steps plan STEPS              the choice, best of 20
//   bench_series_steps step CELLS [FOLDER]     the last step of a year, less what reading the rows takes
namespace bench {
namespace {

using namespace vernier;

constexpr int ages = 25, days = 365, rows_a_day = 2;  // what reading more of them takes is no part of the figure

double process_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const std::function<void()>& call) {
  const double begin = process_seconds();
  call();
  return process_seconds() - begin;
}

double plan_milliseconds(std::size_t steps) {
  double best = 1e300;
  for (int round = 0; round < 20; ++round)
    best = std::min(best, seconds_of([&] { need(series::best_design({.cumulative = 1}, steps, {1, 1}, 7)); }));
  return 1e3 * best;
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string first_numbers(std::int64_t count) {
  std::string numbers = "0";
  for (std::int64_t i = 1; i < count; ++i) numbers += fmt::format(", {}", i);
  return numbers;
}

void write_files(const std::filesystem::path& folder, std::int64_t cells) {
  write(folder / "catalog.toml", fmt::format(R"([budget]
epsilon = 10.0
delta = 1e-6
[tables.cases]
source = "cases.csv"
unit = "person"
append_only = true
row_limit = 1000000
[tables.cases.columns]
person = {{ type = "integer" }}
place = {{ type = "integer", keys = [{}] }}
age = {{ type = "integer", keys = [{}] }}
reported = {{ type = "date" }}
)",
                                             first_numbers(cells / ages), first_numbers(ages)));
  write(folder / "study.toml", R"(catalog = "catalog.toml"
budget = { epsilon = 1.0, delta = 1e-7 }
[[series]]
name = "cases"
from = "cases"
columns = ["place", "age"]
day = "reported"
step = "day"
start = 2027-01-01
end = 2027-12-31
)");
  std::string rows = "person,place,age,reported\n";
  for (int day = 0; day < days; ++day) {
    const query::Day date{query::read_day("2027-01-01")->number + day};
    for (int i = 0; i < rows_a_day; ++i)
      rows += fmt::format("{},{},{},{}\n", rows_a_day * day + i, day % (cells / ages), i % ages, query::text_of(date));
  }
  write(folder / "cases.csv", rows);
}

void release(const std::filesystem::path& folder, int day) {
  const study::SeriesStudy study = need(study::SeriesStudy::read(folder / "study.toml"));
  need(study::release_step(study, query::Day{study.calendar().start.number + day}));
}

// What any statement over the same rows would take.
void read_rows(const std::filesystem::path& folder) {
  const study::SeriesStudy study = need(study::SeriesStudy::read(folder / "study.toml"));
  const double seconds = seconds_of([&] {
    const auto session = need(study::open_session(study.catalog, study.tables()));
    const plan::Sql sql = plan::render_series(study.bound.front(), days - 1);
    const engine::Asked asked[] = {{&sql, {}}};
    need(session->run_all(asked, nobody_watches));
  });
  std::cerr << fmt::format("reading {:.1f} ms\n", 1e3 * seconds);
}

double step_milliseconds(std::int64_t cells, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_files(folder, cells);
  for (int day = 0; day + 1 < days; ++day) release(folder, day);
  const auto clock = std::chrono::steady_clock::now();
  const double whole = seconds_of([&] { release(folder, days - 1); });
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - clock;
  double reading = 1e300, planning = 1e300;
  for (int round = 0; round < 5; ++round) {
    const double both = seconds_of([&] { read_rows(folder); });
    planning = std::min(planning, seconds_of([&] { need(study::SeriesStudy::read(folder / "study.toml")); }));
    reading = std::min(reading, both - planning);
  }
  std::cerr << fmt::format("step {:.1f} ms of CPU ({:.1f} ms passed), of which planning {:.1f}\n", 1e3 * whole,
                           1e3 * passed.count(), 1e3 * planning);
  return 1e3 * (whole - reading);
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
  if (count < 3) return 2;
  try {
    const std::string what = words[1], folder = count > 3 ? words[3] : "series-steps";
    const auto size = std::strtoll(words[2], nullptr, 10);
    std::cout << bench::text(what == "plan" ? bench::plan_milliseconds(static_cast<std::size_t>(size))
                                            : bench::step_milliseconds(size, folder))
              << std::endl;
  } catch (const bench::NotMeasured& reason) {
    std::cerr << reason.what() << std::endl;
    return 1;
  }
  return 0;
}
