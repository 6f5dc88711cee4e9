#include <algorithm>

#include "cli/commands.hpp"

int main(int count, char** words) { return vernier::cli::run_program({words + std::min(count, 1), words + count}); }
