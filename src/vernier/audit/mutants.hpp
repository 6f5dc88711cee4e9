#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "vernier/audit/finding.hpp"
#include "vernier/audit/program.hpp"

// Mistakes that were made elsewhere, or are classics. None of them is built into what ships: each is planted by a test
// of this version, which must find it.
namespace vernier::audit {

struct Mutant {
  int number;
  std::string_view mistake;
  std::string_view program;  // of tests
  std::string_view test;     // that plants it and must find it
};

std::span<const Mutant> mutants();

// The programs of tests in this folder, run with the tests that plant mistakes; without a folder, what there is to run.
Result<Section> audited_mutants(const std::optional<std::filesystem::path>& folder, const Timekeeper& time);

}  // namespace vernier::audit
