#include "vernier/release/series/draw_steps.hpp"

#include <algorithm>

#include "vernier/noise/integer_sampler.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/release/run/run_with.hpp"
#include "vernier/table/contrast.hpp"

namespace vernier::release {
namespace {

using Words = random::Wiped<std::uint64_t>;

// The cell of a series, from that of all columns of what it is measured with.
std::int64_t cell_of(const plan::BoundSeries& series, std::int64_t of_all) {
  std::int64_t cell = 0;
  for (const plan::CodedColumn& column : series.places)
    cell = cell * column.keys + of_all / column.stride % column.keys;
  return cell;
}

// Rows, or units, of every step and cell, in this order, of one series. An error, which says nothing of the data, where
// the engine brought something else than was asked.
Result<Words> counted_steps(const plan::BoundSeries& series, std::int64_t step,
                            std::span<const engine::RawGroup> groups) {
  const std::int64_t cells = series.facts.cells();
  Words counts(static_cast<std::size_t>((step + 1) * cells), 0);
  for (const engine::RawGroup& group : groups) {
    if (group.keys.size() != 2 || group.tallies.size() != 1) return engine::failed_run();
    const auto* const at = std::get_if<std::int64_t>(&group.keys[0]);
    const auto* const cell = std::get_if<std::int64_t>(&group.keys[1]);
    if (at == nullptr || cell == nullptr || *at < 0 || *at > step || *cell < 0) return engine::failed_run();
    const std::int64_t held = std::clamp<std::int64_t>(group.tallies.front(), 0, series.facts.row_limit);
    counts[static_cast<std::size_t>(*at * cells + cell_of(series, *cell))] += static_cast<std::uint64_t>(held);
  }
  return counts;
}

// C x of one step, modulo 2^64: with noise added it is a function of the noisy number.
Words measured(const series::Strategy& strategy, const Words& counts, std::size_t cells, std::size_t step) {
  Words sums(cells, 0);
  for (std::size_t j = 0; j <= step; ++j) {
    const auto factor = static_cast<std::uint64_t>(strategy.at(step, j));
    if (factor == 0) continue;
    for (std::size_t cell = 0; cell < cells; ++cell) sums[cell] += factor * counts[j * cells + cell];
  }
  return sums;
}

// Of a table of a bundle its contrasts.
std::vector<std::int64_t> contrast_shape(const plan::SeriesFacts& facts) {
  std::vector<std::int64_t> shape;
  if (facts.together.empty()) return shape;
  for (const plan::SeriesColumn& column : facts.columns) shape.push_back(static_cast<std::int64_t>(column.keys.size()));
  return shape;
}

// Every cell gets noise of its own, whatever stands in it.
Result<NoisySteps> noisy_steps(const SeriesToDraw& series, std::int64_t first, std::int64_t step,
                               std::span<const engine::RawGroup> groups, random::Source& source) {
  const auto cells = static_cast<std::size_t>(series.bound.facts.cells());
  VERNIER_TRY(const Words counts, counted_steps(series.bound, step, groups));
  const std::vector<std::int64_t> shape = contrast_shape(series.bound.facts);
  const noise::IntegerSampler<noise::DiscreteGaussian> sampler(series.planned.law());
  NoisySteps noisy;
  for (std::int64_t t = first; t <= step; ++t) {
    Words sums = measured(series.planned.design().strategy, counts, cells, static_cast<std::size_t>(t));
    table::contrast(sums, shape);
    std::vector<std::int64_t> drawn(cells);
    VERNIER_TRY(sampler.fill(source, drawn));
    for (std::size_t i = 0; i < cells; ++i)
      drawn[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(drawn[i]) + sums[i]);
    noisy.push_back(std::move(drawn));
  }
  return noisy;
}

std::vector<std::string> tables_read(const std::vector<SeriesToDraw>& all) {
  std::vector<std::string> tables;
  for (const SeriesToDraw& one : all) {
    const std::string& name = one.bound.counted.table.name;
    if (std::ranges::find(tables, name) == tables.end()) tables.push_back(name);
  }
  return tables;
}

Result<std::vector<engine::RawAggregates>> read_all(const std::vector<plan::Sql>& texts, engine::Session& session,
                                                    const Progress& progress) {
  std::vector<engine::Asked> asked;
  for (const plan::Sql& one : texts) asked.push_back({&one, {}});
  Result<std::vector<engine::RawAggregates>> raw = session.run_all(asked, progress);
  if (!raw) return run_error(raw.error());
  if (raw->size() != asked.size()) return engine::failed_run();
  return raw;
}

Result<std::vector<NoisySteps>> drawn(const std::vector<SeriesToDraw>& all, std::int64_t first, std::int64_t step,
                                      engine::Session& session, random::Source& source, const Request& request) {
  const auto is_counted_before = [&](std::size_t i) {
    const std::string& together = all[i].bound.facts.together;
    return i > 0 && !together.empty() && all[i - 1].bound.facts.together == together;
  };
  std::vector<plan::Sql> texts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_counted_before(i)) texts.push_back(plan::render_series(all[i].bound, step));
  }
  VERNIER_TRY(std::vector<engine::RawAggregates> raw, read_all(texts, session, request.progress));
  VERNIER_TRY(source.refresh());
  std::vector<NoisySteps> noisy;
  for (std::size_t i = 0, text = 0; i < all.size(); ++text) {
    const Opening opening(std::move(raw[text]));
    do {
      VERNIER_TRY(NoisySteps one, noisy_steps(all[i], first, step, opening.groups(), source));
      noisy.push_back(std::move(one));
    } while (++i < all.size() && is_counted_before(i));
  }
  return noisy;
}

}  // namespace

Result<std::vector<NoisySteps>> drawn_steps(const std::vector<SeriesToDraw>& all, std::int64_t first, std::int64_t step,
                                            engine::Session& session, random::Source& source, const Request& request) {
  const std::vector<std::string> tables = tables_read(all);
  VERNIER_TRY(request.marks.check_open(tables));
  Result<std::vector<NoisySteps>> noisy = look_through(tables, session, request).and_then([&] {
    return drawn(all, first, step, session, source, request);
  });
  if (!noisy) return closing_error(noisy.error(), tables, request.marks);
  return noisy;
}

}  // namespace vernier::release
