#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/law_figures.hpp"
#include "vernier/core/result.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {

inline constexpr std::size_t most_draws = 10'000'000;
inline constexpr std::size_t plotted_draws = 100'000;  // unless --sample says otherwise

struct FiguresRequest {
  LawFunction function;
  std::vector<LawFigure> figures;  // at least one
};

struct SampleRequest {
  std::size_t size;
};

struct PlotRequest {};  // a plot and nothing else

// What the user of `vernier law` asks for, checked.
struct LawRequest {
  noise::AnyLaw law;
  std::variant<FiguresRequest, SampleRequest, PlotRequest> wanted;
  std::optional<std::string> plot;  // the file to draw in
  bool json;
};

Result<LawRequest> law_request(const Arguments& arguments);

}  // namespace vernier::cli
