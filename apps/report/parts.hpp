#pragma once

#include <string>

#include "report/html.hpp"
#include "report/page.hpp"
#include "vernier/ledger/price.hpp"

// The parts of the page, in their order.
namespace vernier::report {

// Tables beyond this are cut, and say so: the CSV file has all rows.
inline constexpr std::size_t most_table_rows = 2000;

void write_summary(Html& html, const Facts& facts);
void write_statistic(Html& html, const Facts& facts, std::size_t place);
void write_lines(Html& html, const Facts& facts, std::size_t place);   // behind the slopes of a statistic
void write_tables(Html& html, const Facts& facts, std::size_t place);  // of a [[table]]
void write_conclusions(Html& html, const Facts& facts);
void write_plan(Html& html, const Facts& facts);
void write_budget(Html& html, const Facts& facts, const ledger::Rules& rules);
void write_forecast(Html& html, const Facts& facts);
void write_public_facts(Html& html, const Facts& facts);
void write_origin(Html& html, const Facts& facts);

// A table that can be moved sideways where the screen is narrow, by keyboard too.
void begin_table(Html& html, const std::string& name);
void end_table(Html& html);

// The rows of tables among those of a plan; and how many cells are published.
void write_tables_plan(Html& html, const plan::Plan& plan);
std::size_t cells_of(const plan::Plan& plan);

std::string section_id(std::size_t place);  // of a statistic
std::string table_section_id(std::size_t place);
std::string confidence_of(const Facts& facts);  // "95 %", or of all statistics "50 % or 95 %"
std::size_t numbers_of(const Facts& facts);     // how many were published

// How often, at most, somebody guesses right whether a unit is in the data, who sees the release and knows all the
// rest, where a coin decided: (e^epsilon + delta) / (1 + e^epsilon), rounded up to a tenth of a per cent.
std::string best_guess(double epsilon, double delta);

}  // namespace vernier::report
