#pragma once

#include "cli/smartnoise.hpp"

// What the files that read SmartNoise's metadata share.
namespace vernier::cli {

template <class T>
using Imported = tl::expected<T, query::Problem>;

tl::unexpected<query::Problem> refused(query::Place place, std::string sentence);

// A truth value as YAML 1.1 writes it, without quotes.
Imported<bool> truth_of(const YamlNode& node, const std::string& what);

struct ReadColumn {
  ImportedColumn column;
  bool is_private_id = false;
  bool is_known = true;  // false: of type unknown, which SmartNoise leaves out too
};

// One column of a table, by its name; what it leaves open goes to the notes.
Imported<ReadColumn> read_smartnoise_column(const YamlEntry& entry, std::vector<ImportNote>& notes);

}  // namespace vernier::cli
