#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/study/plan.hpp"
#include "vernier/table/contrast.hpp"

// The tables of a plan: for a person by order, for programs each of them.
namespace vernier::cli {

void write_tables_report(Output& output, const plan::Plan& plan);  // nothing where there are none
// The same of a release, with the cells of small tables, and with what to do with them.
void write_released_tables(Output& output, const plan::Plan& plan, const std::vector<table::Noisy>& contrasts,
                           const std::string& confidence);
void write_tables_json(JsonWriter& json, const plan::Plan& plan);  // the key "tables", likewise

// The tables of so many columns of one [[table]], as a row of a what-if or a curve of a chart.
struct TableOrder {
  std::size_t place, order;
  std::string name, words;
  double accuracy;  // of the worst of them, in the plan
};
std::vector<TableOrder> orders_of_tables(const plan::Plan& plan);
double worst_at(const plan::Plan& plan, const TableOrder& of, const study::WhatIf& point);

// What other totals would buy.
void add_tables_what_if(std::vector<Row>& rows, const plan::Plan& plan, const std::vector<study::WhatIf>& points);
void write_tables_what_if(JsonWriter& json, const study::WhatIf& point);

}  // namespace vernier::cli
