#pragma once

#include <string>
#include <vector>

namespace vernier::cli {

// The program with these words behind its name: prints the answer, or one sentence about what is wrong, and returns the
// exit code. Nothing is thrown.
int run_program(const std::vector<std::string>& words);

}  // namespace vernier::cli
