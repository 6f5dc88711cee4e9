#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// The program with these words behind its name: prints the answer, or one sentence about what is wrong, and returns the
// exit code. Nothing is thrown.
int run_program(const std::vector<std::string>& words);

// The words by which whoever runs inside another program, such as an interpreter, is started again; of none its own
// file.
void start_again_by(std::vector<std::string> words);
Result<std::vector<std::string>> own_program();

struct Command {
  Usage usage;
  Result<void> (*run)(const Arguments&, Output&);
};

std::vector<Command> commands();

// `vernier audit`: this installation tries to refute its own privacy.
Usage audit_usage();
Result<void> run_audit(const Arguments& arguments, Output& output);

// `vernier bounds`: bounds of a column, found privately.
Usage bounds_usage();
Result<void> run_bounds(const Arguments& arguments, Output& output);

// `vernier calibrate`: state the budget, the scale or the accuracy of a release, get the others.
Usage calibrate_usage();
Result<void> run_calibrate(const Arguments& arguments, Output& output);

// `vernier synthetic`: rows made from released tables. `vernier check-synthetic`: how far rows are from protected ones.
Usage synthetic_usage();
Result<void> run_synthetic(const Arguments& arguments, Output& output);
Usage check_synthetic_usage();
Result<void> run_check_synthetic(const Arguments& arguments, Output& output);

// `vernier catalog new` and `vernier catalog check`: what a steward declares.
Usage catalog_usage();
Result<void> run_catalog(const Arguments& arguments, Output& output);

// `vernier engine probe`: whether a server means what we mean.
Usage engine_usage();
Result<void> run_engine(const Arguments& arguments, Output& output);

// `vernier key`: by which key this installation signs its releases.
Usage key_usage();
Result<void> run_key(const Arguments& arguments, Output& output);

// `vernier law`: what R's dnorm, pnorm, qnorm and rnorm do for the normal, for the four laws of noise.
Usage law_usage();
Result<void> run_law(const Arguments& arguments, Output& output);

// vernier ledger show | history | verify | export: what was spent, by whom and on what. They only read.
Usage ledger_usage();
Result<void> run_ledger(const Arguments& arguments, Output& output);

// `vernier sql`: what a statement means here. Opens no data file, and spends nothing.
Usage sql_usage();
Result<void> run_sql(const Arguments& arguments, Output& output);

// `vernier plan`: what a study will cost and how accurate it will be. Opens no data file, and spends nothing.
Usage plan_usage();
Result<void> run_plan(const Arguments& arguments, Output& output);

// `vernier completion bash`: a script by which the shell completes commands, options and their values.
Usage completion_usage();
Result<void> run_completion(const Arguments& arguments, Output& output);

// `vernier demo`: everything that is needed for a first release, and the release.
Usage demo_usage();
Result<void> run_demo(const Arguments& arguments, Output& output);

// `vernier query`: one statement, released at once.
Usage query_usage();
Result<void> run_query(const Arguments& arguments, Output& output);

// `vernier release`: runs a study and publishes it into a folder.
Usage release_usage();
Result<void> run_release(const Arguments& arguments, Output& output);

// `vernier serve`: the page on which people budget by accuracy, and its server.
Usage serve_usage();
Result<void> run_serve(const Arguments& arguments, Output& output);

// `vernier verify`: whether a release is what its record says, and its folder what was published.
Usage verify_usage();
Result<void> run_verify(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
