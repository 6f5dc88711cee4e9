#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/table/contrast.hpp"

// The files of every [[table]]: its noisy contrasts, which were paid for, and for each number of columns one file with
// the cells of all tables of so many, which are a function of them: in the format Parquet, and as CSV where they are
// few.
namespace vernier::study {

inline constexpr std::int64_t most_csv_cells = 10'000;  // of all tables of so many columns

// For "People": people.contrasts.txt, people.order-0.csv, people.order-0.parquet, people.order-1.csv, ...; one after
// the other, so that who looks at each needs not hold all.
using TakeDocument = std::function<Result<void>(ledger::Document)>;
Result<void> each_table_document(const plan::Plan& plan, const std::vector<table::Noisy>& contrasts,
                                 const TakeDocument& take);
ledger::Documents table_documents(const plan::Plan& plan, const std::vector<table::Noisy>& contrasts);

// What people.contrasts.txt holds: the places of the columns of a contrast, and behind them its numbers, line by line.
std::string contrasts_text(const table::Lattice& lattice, const table::Noisy& contrasts);

// And back. An error for anything but such a text of this lattice.
Result<table::Noisy> read_contrasts(const table::Lattice& lattice, std::string_view text);

// The files that hold contrasts, one for each [[table]].
std::vector<std::string> contrast_files(const plan::BoundStudy& study);

}  // namespace vernier::study
