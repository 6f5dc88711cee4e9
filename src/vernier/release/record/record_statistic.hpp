#pragma once

#include "vernier/release/record/json_fields.hpp"
#include "vernier/release/record/record.hpp"

// Parts of read_record.
namespace vernier::release {

// One statistic: what the record has of it, and what its certificate has.
void read_statistic(Record& record, Fields stated, Fields certified);

// The rows, once the plan of their statistic is read.
void read_rows(Record& record, Fields& stated, Fields& certified);

// What was made of their numbers, once the rows are read.
void read_derived(Record& record, Fields& stated);

// A number; `confidence` is what it claims.
Number read_number(Fields number, bool has_fixed_margin, bool is_simultaneous, double& confidence);

// Of each column what it shows, in the order of aggregations.
std::vector<plan::Figure> figures_of(const plan::BoundStatistic& statistic);

accounting::Event read_event(Fields event);

// The value whose name is written, by going through all of them.
template <class Name>
Name read_name(Fields& fields, const std::string& key, std::initializer_list<Name> all) {
  const std::string found = fields.text(key);
  for (const Name& one : all) {
    if (name_of(one) == found) return one;
  }
  fields.refuse(key, "is a word that releases do not have");
  return *all.begin();
}

privacy::Neighbours read_neighbours(Fields& fields);
accounting::Method read_method(Fields& fields);
plan::Law read_law(Fields& fields);       // from mechanism and scale
double read_granularity(Fields& fields);  // a power of two

}  // namespace vernier::release
