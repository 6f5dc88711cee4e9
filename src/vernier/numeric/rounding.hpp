#pragma once

// Arithmetic on doubles whose rounding has a direction and says so: `down` is the largest double that is not above the
// exact result, `up` the least that is not below it. The rounding mode of the processor plays no part. Underflow and
// overflow follow the same rule: exp_up(-1e6) is the least positive double, exp_down(1e6) the largest finite one.
// NaN in, or no real result (log of -1, 0 / 0), NaN out. rounding.md has the proof.
namespace vernier::numeric {

double add_down(double a, double b);
double add_up(double a, double b);
double subtract_down(double a, double b);
double subtract_up(double a, double b);
double multiply_down(double a, double b);
double multiply_up(double a, double b);
double divide_down(double a, double b);
double divide_up(double a, double b);
double sqrt_down(double a);
double sqrt_up(double a);
double exp_down(double a);
double exp_up(double a);
double expm1_down(double a);
double expm1_up(double a);
double log_down(double a);
double log_up(double a);
double log1p_down(double a);
double log1p_up(double a);

}  // namespace vernier::numeric
