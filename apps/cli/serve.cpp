#include "server/serve.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/decimal.hpp"
#include "cli/demo/demo.hpp"
#include "server/access/access.hpp"
#include "server/audit/audit.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

Result<std::int64_t> whole_of(const Arguments& arguments, const char* option, std::int64_t usual, std::int64_t least,
                              std::int64_t greatest) {
  if (!arguments.has(option)) return usual;
  VERNIER_TRY(const std::int64_t value, read_whole(option, arguments.one(option)));
  if (value >= least && value <= greatest) return value;
  return invalid(option, fmt::format("must be from {} to {}, but it is {}", least, greatest, value), "");
}

// A folder of invented data that is gone with the server.
class DemoFolder {
 public:
  static Result<DemoFolder> made() {
    std::string pattern = (fs::temp_directory_path() / "vernier-serve-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      return fail(ErrorKind::system, fmt::format("no folder can be made in '{}'", fs::temp_directory_path().string()),
                  "look whether its disk is full");
    }
    DemoFolder folder(pattern);
    VERNIER_TRY(write_demo(folder.place()));
    return folder;
  }

  DemoFolder(DemoFolder&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;
  ~DemoFolder() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  fs::path place() const { return folder_ / "demo"; }

 private:
  explicit DemoFolder(fs::path folder) : folder_(std::move(folder)) {}
  fs::path folder_;
};

Result<fs::path> root_of(const Arguments& arguments) {
  const fs::path named = arguments.has("--root") ? arguments.one("--root") : ".";
  std::error_code error;
  fs::path root = fs::canonical(named, error);
  if (!error && fs::is_directory(root, error)) return root;
  return invalid("--root", fmt::format("must be a folder, but '{}' is none", named.string()),
                 "name the folder below which the catalogs lie");
}

bool is_this_machine(const std::string& address) { return address == "127.0.0.1" || address == "::1"; }

Result<void> check_address(const Arguments& arguments) {
  const bool has_tls = arguments.has("--certificate") && arguments.has("--key");
  if (arguments.has("--certificate") != arguments.has("--key")) {
    return invalid("--certificate and --key", "belong together", "give both, or neither");
  }
  if (!arguments.has("--address") || is_this_machine(arguments.one("--address"))) return {};
  if (has_tls && arguments.has("--tokens")) return {};
  return invalid("--address",
                 fmt::format("must be 127.0.0.1 unless there are --certificate, --key and --tokens, but it is '{}': "
                             "without TLS tokens could be read on the way",
                             arguments.one("--address")),
                 "give the three, or put a proxy that speaks TLS before it and give its name by --host");
}

Result<server::Settings> settings_of(const Arguments& arguments, const fs::path& root) {
  server::Settings settings;
  settings.root = root;
  VERNIER_TRY(settings.program, own_program());
  VERNIER_TRY(const std::int64_t port, whole_of(arguments, "--port", 0, 0, 65535));
  VERNIER_TRY(const std::int64_t workers, whole_of(arguments, "--workers", 2, 1, 64));
  VERNIER_TRY(const std::int64_t slot, whole_of(arguments, "--slot", 2, 1, 3600));
  VERNIER_TRY(const std::int64_t longest, whole_of(arguments, "--longest", 3600, 1, 1'000'000));
  VERNIER_TRY(const std::int64_t drain, whole_of(arguments, "--drain", 60, 0, 3600));
  settings.is_public = arguments.has("--public");
  settings.port = static_cast<std::uint16_t>(port);
  settings.workers = static_cast<std::size_t>(workers);
  settings.slot = std::chrono::seconds(slot);
  settings.longest = std::chrono::seconds(longest);
  settings.drain = std::chrono::seconds(drain);
  if (arguments.has("--analyst")) settings.analyst = arguments.one("--analyst");
  settings.tokens = arguments.has("--tokens") ? fs::path(arguments.one("--tokens")) : root / "access.toml";
  if (arguments.has("--audit")) settings.audit = arguments.one("--audit");
  if (arguments.has("--address")) settings.address = arguments.one("--address");
  if (arguments.has("--certificate")) {
    settings.tls = server::TlsFiles{arguments.one("--certificate"), arguments.one("--key")};
  }
  if (arguments.has("--host")) settings.hosts.assign(arguments.all("--host").begin(), arguments.all("--host").end());
  if (!settings.hosts.empty() && !arguments.has("--tokens")) {
    return invalid("--host", "is for people who come by a proxy, and these need tokens of their own",
                   "give --tokens FILE, too");
  }
  return settings;
}

Result<void> serve_at(const Arguments& arguments, const fs::path& root, Output& output) {
  VERNIER_TRY(const server::Settings settings, settings_of(arguments, root));
  Result<void> printed;
  VERNIER_TRY(server::serve(settings, [&](const std::string& link) {
    output.write(arguments.has("--json") ? fmt::format("{{\"link\":\"{}\"}}\n", link) : link + "\n");
    printed = output.finish();
  }));
  return printed;
}

Result<void> verify_audit_log(const Arguments& arguments, Output& output) {
  if (!arguments.has("--audit")) {
    return invalid("--audit", "is missing", "write for example 'vernier serve audit --audit audit.jsonl'");
  }
  VERNIER_TRY(const server::AuditVerdict found, server::verify_audit(arguments.one("--audit")));
  output.write(arguments.has("--json")
                   ? fmt::format("{{\"holds\":true,\"lines\":{},\"head\":\"{}\"}}\n", found.lines, found.head)
                   : fmt::format("{} lines, each of which follows from the one before it; the last has the hash {}\n",
                                 found.lines, found.head));
  return {};
}

Result<void> make_token(const Arguments& arguments, Output& output) {
  for (const char* const option : {"--tokens", "--name", "--role"}) {
    if (!arguments.has(option)) {
      return invalid(std::string(option), "is missing",
                     "write for example 'vernier serve token --tokens tokens.toml --name anna --role analyst'");
    }
  }
  const auto role = server::role_named(arguments.one("--role"));
  if (!role)
    return invalid("--role", fmt::format("must be reader, analyst or steward, but it is '{}'", arguments.one("--role")),
                   "");
  VERNIER_TRY(const std::int64_t days, whole_of(arguments, "--days", 90, 1, 3650));
  VERNIER_TRY(const std::string token,
              server::add_token(arguments.one("--tokens"), arguments.one("--name"), *role, days));
  output.write(arguments.has("--json") ? fmt::format("{{\"token\":\"{}\"}}\n", token) : token + "\n");
  return {};
}

}  // namespace

Usage serve_usage() {
  return {
      .name = "serve",
      .summary = "a page on which studies are budgeted by accuracy, released and verified, and its server",
      .synopsis =
          "vernier serve [--demo | --root DIR] [--port P] [--analyst NAME] [--tokens FILE] [--host NAME ...]\n"
          "  vernier serve --root DIR --address A --certificate FILE --key FILE --tokens FILE [--host NAME ...]\n"
          "  vernier serve token --tokens FILE --name NAME --role reader|analyst|steward [--days N]\n"
          "  vernier serve audit --audit FILE\n"
          "\n"
          "Prints one link, which opens the page in a browser on this machine: it holds a token by which whoever\n"
          "opens it may do all that you may. Only this machine can reach the server, unless it speaks TLS and people\n"
          "have tokens. Catalogs are those below the\n"
          "root, and no others can be named. SIGTERM or Ctrl-C ends it, once releases that run are answered.",
      .subject = "token|audit",
      .subject_help =
          "in place of serving: makes a token for a person, prints it once, and keeps its hash in the file; or looks "
          "whether every line of an audit log follows from the one before it",
      .subject_choices = {"token", "audit"},
      .options =
          {{"--demo", Takes::nothing, "", "invented people in a temporary folder, which is gone with the server"},
           {"--root", Takes::one_value, "DIR", "the folder below which the catalogs lie (default: the current one)"},
           {"--port", Takes::one_value, "P", "a port of this machine (default: one that is free)"},
           {"--address", Takes::one_value, "A",
            "an address of this machine (default: 127.0.0.1, the only one without TLS)"},
           {"--certificate", Takes::one_value, "FILE", "the chain of a certificate in PEM, for TLS"},
           {"--key", Takes::one_value, "FILE", "its private key in PEM"},
           {"--audit", Takes::one_value, "FILE", "keeps who did what, as lines that are chained by their hashes"},
           {"--analyst", Takes::one_value, "NAME", "whose share of the budget pays for who opens the link"},
           {"--tokens", Takes::one_value, "FILE",
            "the tokens of other people, readable by its owner alone (default: access.toml below the root)"},
           {"--host", Takes::several_values, "NAME",
            "a name by which it, or a proxy before it, may be called; needs --tokens"},
           {"--public", Takes::nothing, "",
            "what a steward has published is for everybody, below /public, without a token"},
           {"--workers", Takes::one_value, "N", "processes that plan, and as many that release (default 2)"},
           {"--slot", Takes::one_value, "S",
            "seconds after which an analyst gets an answer, or twice, four times ... as many (default 2)"},
           {"--longest", Takes::one_value, "S",
            "seconds that the run of an analyst may take, and on until its slot (default 3600); then it is ended"},
           {"--drain", Takes::one_value, "S", "seconds that releases may take to finish at the end (default 60)"},
           {"--name", Takes::one_value, "NAME", "of token: the person, whose share of the budget pays"},
           {"--role",
            Takes::one_value,
            "ROLE",
            "of token: reader, analyst or steward",
            {"reader", "analyst", "steward"}},
           {"--days", Takes::one_value, "N", "of token: how long it is good for (default 90)"}},
      .example =
          "  vernier serve --demo\n"
          "  vernier serve --root /srv/census --port 8080\n"
          "  vernier serve token --tokens tokens.toml --name anna --role analyst\n"};
}

Result<void> run_serve(const Arguments& arguments, Output& output) {
  if (arguments.subject == "token") return make_token(arguments, output);
  if (arguments.subject == "audit") return verify_audit_log(arguments, output);
  if (!arguments.subject.empty()) {
    return invalid(fmt::format("'{}' is nothing that 'vernier serve' knows", arguments.subject),
                   "write token or audit, or leave it out");
  }
  VERNIER_TRY(check_address(arguments));
  if (!arguments.has("--demo")) {
    VERNIER_TRY(const fs::path root, root_of(arguments));
    return serve_at(arguments, root, output);
  }
  if (arguments.has("--root")) return invalid("--demo and --root", "exclude each other", "give one of them");
  VERNIER_TRY(const DemoFolder folder, DemoFolder::made());
  std::error_code unknown;
  return serve_at(arguments, fs::canonical(folder.place(), unknown), output);
}

}  // namespace vernier::cli
