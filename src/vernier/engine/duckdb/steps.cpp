#include <algorithm>
#include <cmath>
#include <memory>

#include "vernier/engine/duckdb/functions.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"

namespace vernier::engine {
namespace {

using plan::StepsFunction;

// Of what is no NaN. The product with a power of two is exact, so that it does not matter whether the sum is fused.
std::int64_t steps_of(double x, const StepsFunction& function) {
  const double held = std::min(std::max(x, function.lower), function.upper);
  return static_cast<std::int64_t>(std::floor(held * function.scale + 0.5)) - function.origin;
}

// Of all rows of a chunk, NULL or not.
void square(std::int64_t* steps, idx_t rows, const plan::Argument::Square& square) {
  for (idx_t row = 0; row < rows; ++row) {
    const std::int64_t k = square.is_from_above ? square.steps - steps[row] : steps[row];
    steps[row] = interval::rounded_square(k, square.steps, square.fineness);
  }
}

void copy_nulls(std::uint64_t* from, std::uint64_t* to, idx_t rows) {
  if (from == nullptr) return;
  for (idx_t row = 0; row < rows; ++row) {
    if (!duckdb_validity_row_is_valid(from, row)) duckdb_validity_set_row_invalid(to, row);
  }
}

void compute(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
  const auto& function = *static_cast<const StepsFunction*>(duckdb_scalar_function_get_extra_info(info));
  const duckdb_vector input = duckdb_data_chunk_get_vector(chunk, 0);
  const auto* const values = static_cast<const double*>(duckdb_vector_get_data(input));
  duckdb_vector_ensure_validity_writable(output);
  std::uint64_t* const valid = duckdb_vector_get_validity(output);
  auto* const steps = static_cast<std::int64_t*>(duckdb_vector_get_data(output));
  const idx_t rows = duckdb_data_chunk_get_size(chunk);
  for (idx_t row = 0; row < rows; ++row) {
    const double x = values[row];
    if (std::isnan(x)) duckdb_validity_set_row_invalid(valid, row);
    steps[row] = steps_of(std::isnan(x) ? function.lower : x, function);
  }
  if (function.square) square(steps, rows, *function.square);
  copy_nulls(duckdb_vector_get_validity(input), valid, rows);
}

void delete_function(void* function) { delete static_cast<StepsFunction*>(function); }

}  // namespace

bool register_steps(duckdb_connection connection, const StepsFunction& function) {
  duckdb_logical_type real = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
  duckdb_logical_type integer = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_scalar_function scalar = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(scalar, function.name().c_str());
  duckdb_scalar_function_add_parameter(scalar, real);
  duckdb_scalar_function_set_return_type(scalar, integer);
  duckdb_scalar_function_set_special_handling(scalar);
  duckdb_scalar_function_set_extra_info(scalar, std::make_unique<StepsFunction>(function).release(), delete_function);
  duckdb_scalar_function_set_function(scalar, compute);
  const bool done = duckdb_register_scalar_function(connection, scalar) == DuckDBSuccess;
  duckdb_destroy_scalar_function(&scalar);
  duckdb_destroy_logical_type(&integer);
  duckdb_destroy_logical_type(&real);
  return done;
}

}  // namespace vernier::engine
