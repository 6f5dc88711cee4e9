#include "vernier/query/read/engine.hpp"

#include <algorithm>
#include <charconv>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/dialect/dialect.hpp"

namespace vernier::query {
namespace {

constexpr std::int64_t longest_timeout = 7 * 24 * 3600;
constexpr std::int64_t most_passes = 1024;

// "30m" as seconds; none where it is no such text.
std::optional<std::int64_t> seconds_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.size() - static_cast<std::size_t>(end - text.data()));
  const std::int64_t each = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (failure != std::errc() || each == 0 || number < 1 || number > longest_timeout / each) return std::nullopt;
  return number * each;
}

std::int64_t read_timeout(TableReader& reader, std::int64_t usual) {
  const auto text = reader.text("timeout", "30m");
  if (!text) return usual;
  if (const auto seconds = seconds_of(*text)) return *seconds;
  reader.refuse(reader.find("timeout")->place, reader.subject("timeout"),
                "must be a time of at most a week such as 90s, 30m or 2h, but it is " + in_quotes(*text), {});
  return usual;
}

std::string example_address(const Engine& engine) {
  if (engine.kind == "trino") return "https://reader@lake.example:8443";
  if (engine.kind == "spark") return "sc://spark.example:15002";
  return engine.kind + "://reader@db.example/health";
}

std::string read_address(TableReader& reader, const Engine& engine) {
  const TomlNode* const node = reader.find("address");
  if (engine.is_embedded()) {
    if (node != nullptr) {
      reader.refuse(node->place, reader.subject("address"),
                    "is for engines on a server, and duckdb is inside of this program", "leave it out");
    }
    return {};
  }
  if (engine.kind == "spark" && node == nullptr) return {};  // a program has a session, which knows where it leads
  reader.require("address", toml("address = \"" + example_address(engine) + "\""));
  const auto address = reader.text("address", example_address(engine));
  if (!address) return {};
  if (const auto fault = fault_of_address(*address)) {
    reader.refuse(node->place, reader.subject("address"), *fault, {});
  }
  return *address;
}

std::int64_t read_passes(TableReader& reader, const Engine& engine) {
  const std::int64_t passes = reader.whole("passes", 1, most_passes).value_or(1);
  if (passes == 1 || !engine.is_embedded()) return passes;
  reader.refuse(reader.find("passes")->place, reader.subject("passes"),
                "is for servers with little memory, and duckdb writes what it has no memory for to the disk",
                "leave it out");
  return 1;
}

bool read_hash(TableReader& reader, const Engine& engine) {
  const auto hash = reader.word("hash", {"own", "portable"});
  if (hash == "own" && !engine.is_embedded()) {
    reader.refuse(reader.find("hash")->place, reader.subject("hash"),
                  "is portable on every engine but duckdb, so that all of them give the same numbers", "leave it out");
  }
  return hash == "portable" || !engine.is_embedded();
}

}  // namespace

std::optional<std::string> fault_of_address(std::string_view address) {
  if (auto fault = fault_of_text(std::string(address))) return "cannot be read, since " + *fault;
  const std::size_t scheme = address.find("://");
  if (scheme == std::string_view::npos || scheme == 0) {
    return "must begin with what it is an address of, such as postgresql:// or https://";
  }
  const std::string_view rest = address.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t user = rest.rfind('@');  // a password may have / and ? in it, if somebody forgot to write %2F
  const bool has_user = user != std::string_view::npos;
  const std::string_view names = has_user ? rest.substr(0, user) : std::string_view();
  const bool has_password = names.find(':') != std::string_view::npos ||
                            fold_case(rest).find("password=") != std::string::npos ||
                            fold_case(rest).find("token=") != std::string::npos;
  if (has_password) {
    return "has a password in it, which would lie open in the catalog; leave it to a password file (~/.pgpass), to "
           "PGPASSWORD or to the variable that docs/guide/engines.md names";
  }
  if (authority.empty() && rest.empty()) return "names no server";
  return std::nullopt;
}

std::vector<std::string> parts_of_name(std::string_view name) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = name.find('.');
    parts.emplace_back(name.substr(0, dot));
    if (parts.back().empty() || fault_of_name(parts.back())) return {};
    if (dot == std::string_view::npos) return parts;
    name.remove_prefix(dot + 1);
  }
}

Engine read_engine(TableReader& catalog, std::vector<Problem>& problems) {
  const TomlNode* const node = catalog.find("engine");
  const TomlTable* const table = catalog.table("engine", "[engine]");
  if (node == nullptr || table == nullptr) return {};
  TableReader reader(*table, node->place, term(Term::engine), problems);
  Engine engine;
  reader.require("kind", toml("kind = \"postgresql\""));
  engine.kind = reader.word("kind", dialect_names()).value_or("duckdb");
  engine.address = read_address(reader, engine);
  engine.seconds = read_timeout(reader, engine.seconds);
  engine.passes = read_passes(reader, engine);
  engine.plaintext = reader.boolean("plaintext").value_or(false);
  engine.portable = read_hash(reader, engine);
  reader.finish();
  return engine;
}

void refuse_foreign_sources(const Catalog& catalog, std::vector<Problem>& problems) {
  const bool embedded = catalog.engine.is_embedded();
  for (const std::vector<Table>* const tables : {&catalog.tables, &catalog.public_tables}) {
    for (const Table& table : *tables) {
      const bool is_table = table.source.kind == SourceKind::table;
      if (embedded && is_table) {
        problems.push_back({table.place, "the source of the table " + in_quotes(table.name),
                            "is a table of an engine, and the catalog names none",
                            "write " + term(Term::engine) + " with kind and address, or name a file"});
      } else if (!embedded && !is_table && !table.is_public) {
        problems.push_back({table.place, "the source of the table " + in_quotes(table.name),
                            "must be a table of the engine " + catalog.engine.kind,
                            "write for example " + toml("source = { table = \"public." + table.name + "\" }")});
      }
    }
  }
}

}  // namespace vernier::query
