#include "vernier/plan/statistic/list.hpp"

// What follows from the names that statistics give themselves.
namespace vernier::plan {

std::vector<MeasurementKind> all_kinds() {
  std::vector<MeasurementKind> all;
  any_statistic([&]<class One>(std::type_identity<One>) {
    for (const MeasurementKind kind : One::kinds) all.push_back(kind);
    return false;
  });
  return all;
}

std::optional<MeasurementKind> MeasurementKind::named(std::string_view name) {
  const std::vector<MeasurementKind> all = all_kinds();
  const auto found = std::find(all.begin(), all.end(), MeasurementKind{name});
  return found == all.end() ? std::nullopt : std::optional(*found);
}

std::optional<Figure> Figure::named(std::string_view name) { return shown_by_any(shows_figure(name)); }

Figure figure_of(query::Aggregate aggregate) { return shown_by_any(asked_as(aggregate)).value_or(Figure{}); }

TruthMaker truth_maker(const Figure& figure) {
  TruthMaker found = nullptr;
  any_statistic([&]<class One>(std::type_identity<One>) {
    if constexpr (requires { &One::truth; }) {
      if (shown_by<One>(shows_figure(figure.name))) found = &One::truth;
    }
    return found != nullptr;
  });
  return found;
}

bool has_histogram(MeasurementKind kind) {
  return any_statistic([&]<class One>(std::type_identity<One>) {
    return requires { One::has_histogram; }
    &&is_of<One>(kind);
  });
}

GridNumbers grid_numbers(MeasurementKind kind) {
  GridNumbers numbers = GridNumbers::none;
  any_statistic([&]<class One>(std::type_identity<One>) {
    if (is_of<One>(kind)) numbers = One::numbers;
    return is_of<One>(kind);
  });
  return numbers;
}

}  // namespace vernier::plan
