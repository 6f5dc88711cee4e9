#include "vernier/coverage/coverage.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "vernier/coverage/share.hpp"

namespace vernier::coverage {
namespace {

using Work = std::function<Result<void>(std::size_t, random::Source&)>;

class Workers {
 public:
  Workers(std::size_t pieces, const Work& work, const Progress& progress)
      : pieces_(pieces), work_(work), progress_(progress) {}

  // As one of the threads.
  void take_part() {
    Result<random::Source> source = random::Source::open();
    if (!source) return end(source.error());
    for (std::size_t piece = next_++; piece < pieces_ && !ended_; piece = next_++) {
      if (const Result<void> done = work_(piece, *source); !done) return end(done.error());
      tell();
    }
  }

  Result<void> result() const { return error_ ? Result<void>(Failure(*error_)) : Result<void>(); }

 private:
  void end(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
    ended_ = true;
  }

  void tell() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (ended_ || progress_(static_cast<double>(done_) / static_cast<double>(pieces_))) return;
    error_ = Error{ErrorKind::system, "the simulation was interrupted"};
    ended_ = true;
  }

  const std::size_t pieces_;
  const Work& work_;
  const Progress& progress_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::size_t done_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<void> do_each(std::size_t pieces, const Work& work, const Progress& progress) {
  Workers workers(pieces, work, progress);
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < std::min(cores, pieces); ++i) threads.emplace_back([&] { workers.take_part(); });
  } catch (const std::system_error&) {  // those that are there do it all
  }
  workers.take_part();
  for (std::thread& thread : threads) thread.join();
  return workers.result();
}

namespace {

constexpr std::int64_t piece_size = 100;     // simulations that one thread does at a time
constexpr double part_of_preparation = 0.1;  // of the progress that is told

using Populations = std::deque<PlacedPopulation>;  // which stay where they are

bool is_same(const ValueGrid& a, const ValueGrid& b) {
  return a.origin() == b.origin() && a.steps() == b.steps() && a.granularity() == b.granularity();
}

// Each grid once; of every point its population.
std::vector<const PlacedPopulation*> placed(const Population& population, const std::vector<Point>& points,
                                            Populations& all) {
  std::vector<const PlacedPopulation*> found;
  for (const Point& point : points) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return is_same(one.grid(), point.grid); });
    found.push_back(known != all.end() ? &*known : &all.emplace_back(population, point.grid));
  }
  return found;
}

using Experiments = std::vector<std::optional<Experiment>>;

Result<void> prepare(const Question& question, const std::vector<Point>& points,
                     const std::vector<const PlacedPopulation*>& populations, Experiments& experiments,
                     const Progress& progress) {
  const auto work = [&](std::size_t i, random::Source&) -> Result<void> {
    VERNIER_TRY(Experiment made, experiment_of(question, points[i], *populations[i]));
    experiments[i].emplace(std::move(made));
    return {};
  };
  return do_each(points.size(), work, [&](double done) { return progress(part_of_preparation * done); });
}

// All pieces of all points; the tallies by piece.
Result<std::vector<Tally>> tallies_of(const Experiments& experiments, std::int64_t simulations, std::size_t pieces,
                                      const Progress& progress) {
  std::vector<Tally> tallies(experiments.size() * pieces);
  const auto work = [&](std::size_t i, random::Source& source) -> Result<void> {
    const auto first = static_cast<std::int64_t>(i % pieces) * piece_size;
    VERNIER_TRY(Tally tally, simulate(*experiments[i / pieces], std::min(piece_size, simulations - first), source));
    tallies[i] = std::move(tally);
    return {};
  };
  const auto tell = [&](double done) { return progress(part_of_preparation + (1 - part_of_preparation) * done); };
  return do_each(tallies.size(), work, tell).map([&] { return std::move(tallies); });
}

Found found_at(const Point& point, const Experiment& experiment, const Tally& tally, std::size_t points) {
  const bool is_population = experiment.question.covers == interval::Covers::population;
  const Hits hits{is_population ? tally.held_population : tally.held_sample, tally.simulations};
  const auto all = static_cast<double>(tally.simulations);
  return {.point = point,
          .law = std::string(law_name(experiment.release)),
          .coverage = static_cast<double>(hits.hits) / all,
          .chance = clopper_pearson(hits, *Probability::of(1 - coverage_confidence)),
          .sample = static_cast<double>(tally.held_sample) / all,
          .population = static_cast<double>(tally.held_population) / all,
          .width = tally.width / all,
          .refuted = is_refuted(hits, 1 - point.alpha.value(), false_refutation / static_cast<double>(points)),
          .shown = tally.shown};
}

}  // namespace

bool Report::refuted() const {
  return std::any_of(points.begin(), points.end(), [](const Found& one) { return one.refuted; });
}

Result<Report> report_on(const Population& population, const Question& question, const std::vector<Point>& points,
                         std::int64_t simulations, const Progress& progress) {
  if (points.empty()) return invalid("there is no point to simulate at");
  if (simulations < 1 || simulations > most_simulations) {
    return invalid("the number of simulations must be from 1 to " + std::to_string(most_simulations) + ", but it is " +
                   std::to_string(simulations));
  }
  Populations populations;
  const auto of_point = placed(population, points, populations);
  Experiments experiments(points.size());
  VERNIER_TRY(prepare(question, points, of_point, experiments, progress));
  const auto pieces = static_cast<std::size_t>((simulations + piece_size - 1) / piece_size);
  VERNIER_TRY(const auto tallies, tallies_of(experiments, simulations, pieces, progress));
  Report report{{}, simulations};
  for (std::size_t i = 0; i < points.size(); ++i) {
    Tally all;
    for (std::size_t j = 0; j < pieces; ++j) all.add(tallies[i * pieces + j]);
    report.points.push_back(found_at(points[i], *experiments[i], all, points.size()));
  }
  return report;
}

}  // namespace vernier::coverage
