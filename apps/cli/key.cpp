#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "vernier/release/signing/key_file.hpp"

namespace vernier::cli {
namespace {

using release::PublicKey;

void write_key_json(Output& output, const std::string& path, const PublicKey& key, const std::string& pem) {
  JsonWriter json(output);
  json.begin_object();
  json.member("path", std::string_view(path));
  json.member("fingerprint", std::string_view(key.fingerprint()));
  json.member("public_key", std::string_view(key.hex()));
  json.member("pem", std::string_view(pem));
  json.end_object();
  output.write("\n");
}

}  // namespace

Usage key_usage() {
  return {.name = "key",
          .summary = "shows the public key of this installation, which signs its releases; makes it at first use",
          .synopsis = "vernier key [--json]",
          .options = {},
          .example =
              "  vernier key\n"
              "  vernier key --json\n"};
}

Result<void> run_key(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const auto folder, release::key_folder());
  VERNIER_TRY(const release::SigningKey key, release::open_signing_key(folder));
  const PublicKey& shown = key.public_key();
  VERNIER_TRY(const std::string pem, shown.pem());
  const std::string path = (folder / release::signing_key_name).string();
  if (arguments.has("--json")) {
    write_key_json(output, path, shown, pem);
    return {};
  }
  write_lines(output, {{"secret key", one_line(path), ""}, {"fingerprint", shown.fingerprint(), ""}});
  output.write("\n" + pem);
  return {};
}

}  // namespace vernier::cli
