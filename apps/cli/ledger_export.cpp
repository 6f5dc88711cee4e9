#include "cli/ledger_export.hpp"

#include <fmt/format.h>

#include "cli/errors.hpp"
#include "cli/file.hpp"
#include "cli/ledger_history.hpp"
#include "cli/ledger_reading.hpp"
#include "cli/ledger_registry.hpp"
#include "cli/progress_bar.hpp"
#include "vernier/release/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;

Result<std::string> format_of(const Arguments& arguments) {
  if (!arguments.has("--format")) return "jsonl";
  const std::string& format = arguments.one("--format");
  if (format == "jsonl" || format == "registry") return format;
  return invalid(fmt::format("--format must be jsonl or registry, but it is '{}'{}", format,
                             suggestion(format, {"jsonl", "registry"})));
}

// The entries of a ledger, one JSON object a line.
class JsonLines {
 public:
  void see(const Entry& entry) {
    if (!text_) text_ = text_of(entry);
    if (!text_) return;
    JsonWriter json(lines_);
    json.begin_object();
    write_entry_members(json, entry, *text_);
    json.end_object();
    lines_.write("\n");
  }
  const std::string& lines() const { return lines_.text(); }

 private:
  // What a quantum is worth stands in the first entry.
  static std::optional<CostText> text_of(const Entry& first) {
    const Result<ledger::Terms> terms = ledger::terms_in(first.content);
    if (!terms) return std::nullopt;
    return CostText(ledger::Quanta::of(terms->epsilon, terms->delta));
  }
  std::optional<CostText> text_;
  Output lines_;
};

Result<std::string> exported(const Arguments& arguments, const std::string& format, std::string& name) {
  JsonLines lines;
  const bool is_registry = format == "registry";
  RegistryFacts facts;
  VERNIER_TRY(const LocatedText catalog, located_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  VERNIER_TRY(const auto reading, read_ledger(catalog, bar.shown(), [&](const Entry& entry) -> Result<void> {
                is_registry ? facts.see(entry) : lines.see(entry);
                return {};
              }));
  if (!reading.book) {
    return fail(ErrorKind::system, fmt::format("the ledger '{}' does not exist yet: nothing was spent, and there is "
                                               "nothing to export; publish a first release",
                                               reading.name));
  }
  name = reading.name;
  return is_registry ? registry_record(reading, facts) : lines.lines();
}

void write_answer(Output& output, const Arguments& arguments, const std::string& name, const std::string& format,
                  const std::string& content) {
  const bool to_file = arguments.has("--out");
  if (!arguments.has("--json")) {
    if (!to_file) return output.write(content);
    return output.write(fmt::format("{} holds the ledger {}\n", one_line(arguments.one("--out")), one_line(name)));
  }
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(name));
  json.member("format", std::string_view(format));
  if (to_file) {
    json.member("file", std::string_view(arguments.one("--out")));
  } else {
    json.member("content", std::string_view(content));
  }
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<void> run_ledger_export(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const std::string format, format_of(arguments));
  if (arguments.has("--out")) {
    if (Result<void> is_new = check_new(arguments.one("--out")); !is_new) return is_new;
  }
  std::string name;
  VERNIER_TRY(const std::string content, exported(arguments, format, name));
  if (arguments.has("--out")) {
    if (Result<void> written = write_file(arguments.one("--out"), content); !written) return written;
  }
  write_answer(output, arguments, name, format, content);
  return {};
}

}  // namespace vernier::cli
