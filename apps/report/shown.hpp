#pragma once

#include <string>

#include "vernier/plan/bound_study.hpp"
#include "vernier/release/release.hpp"

// Numbers and keys of a release as readers see them.
namespace vernier::report {

// The decimals of a column: such that its smallest margin shows two digits. Whole numbers have none.
int decimals_of(const release::Table& table, std::size_t place);

// A margin is rounded up and the ends of an interval outwards, so that what is shown covers what was released.
struct ShownNumber {
  std::string value;     // "41,211"; empty where the number says nothing
  std::string margin;    // "± 311"; "no information"
  std::string interval;  // "40,905 to 41,520"
  bool may_be_empty = false;

  std::string line() const;  // "41,211 ± 311, may be empty"
};
ShownNumber shown(const release::Number& number, int decimals);

// What was made of it, with as many decimals; "" of nothing.
std::string shown_denoised(const release::Number& number, int decimals);
std::string shown_denoised_interval(const release::Number& number, int decimals);

// How the columns of a table were denoised: "people by james-stein-to-mean, whose squared error is about 0.31 of that
// of the raw number"; "" where none was.
std::string denoising_text(const query::Query& query, const release::Table& table);

// Whether a column of the table was denoised.
bool is_denoised(const release::Table& table, std::size_t place);

// The decimals of a column of differences.
int decimals_of_differences(const release::Table& table, std::size_t place);

// The value of a key with the label that the catalog has for it, where the key is a column.
std::string key_text(const query::Key& key, const query::Table& table, const query::Value& value);

// Whether the catalog has labels for the values of the key: then a number is a code.
bool has_labels(const query::Key& key, const query::Table& table);

}  // namespace vernier::report
