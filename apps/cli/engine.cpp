#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "vernier/engine/sql/probe.hpp"
#include "vernier/study/session.hpp"

namespace vernier::cli {
namespace {

using engine::ProbeAnswer;

void write_answers(Output& output, const std::string& version, const std::vector<ProbeAnswer>& answers) {
  for (const ProbeAnswer& one : answers) {
    output.write(fmt::format("{:<10} {}\n", one.is_as_expected ? "yes" : "OTHERWISE", one.what));
  }
  const auto wrong = std::count_if(answers.begin(), answers.end(), [](const auto& one) { return !one.is_as_expected; });
  output.write(fmt::format("\n{} answers {} of {} questions as its dialect does\n", one_line(version),
                           answers.size() - static_cast<std::size_t>(wrong), answers.size()));
}

void write_answers_json(Output& output, const query::Engine& asked, const std::string& version,
                        const std::vector<ProbeAnswer>& answers) {
  JsonWriter json(output);
  json.begin_object();
  json.member("engine", std::string_view(asked.kind));
  json.member("version", std::string_view(version));
  json.key("probes");
  json.begin_array();
  for (const ProbeAnswer& one : answers) {
    json.begin_object();
    json.member("asked", std::string_view(one.what));
    json.key("as_expected");
    json.boolean(one.is_as_expected);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  output.write("\n");
}

}  // namespace

Usage engine_usage() {
  return {.name = "engine",
          .summary = "asks a database server whether it means what Vernier means; reads no table",
          .synopsis = "vernier engine probe ADDRESS [--plaintext] [--json]",
          .subject = "ACTION",
          .subject_help = "probe",
          .subject_choices = {"probe"},
          .object = "ADDRESS",
          .object_help =
              "as [engine] of a catalog has it: postgresql://USER@HOST/DATABASE, https://USER@HOST:PORT of Trino, or "
              "sc://HOST:PORT of Spark; no password",
          .options = {{"--plaintext", Takes::nothing, "", "to another machine without TLS"}},
          .example = "  vernier engine probe postgresql://reader@db.example/health\n"};
}

Result<void> run_engine(const Arguments& arguments, Output& output) {
  if (arguments.subject != "probe" || arguments.object.empty()) {
    return invalid("what to ask is missing", "write for example 'vernier engine probe postgresql://reader@db/health'");
  }
  VERNIER_TRY(query::Engine asked, study::engine_at(arguments.object));
  asked.plaintext = arguments.has("--plaintext");
  VERNIER_TRY(const std::unique_ptr<engine::Connection> connection, engine::connect(asked));
  VERNIER_TRY(const std::vector<ProbeAnswer> answers, engine::probe(*query::dialect_named(asked.kind), *connection));
  arguments.has("--json") ? write_answers_json(output, asked, connection->version(), answers)
                          : write_answers(output, connection->version(), answers);
  if (std::all_of(answers.begin(), answers.end(), [](const ProbeAnswer& one) { return one.is_as_expected; })) return {};
  VERNIER_TRY(output.finish());
  return fail(ErrorKind::system, "the server does not mean what its dialect does",
              "no release runs on it; name one of a version that docs/guide/engines.md lists");
}

}  // namespace vernier::cli
