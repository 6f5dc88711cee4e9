#include "server/access/access.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/core/hash.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"
#include "vernier/random/source.hpp"

namespace vernier::server {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t day_seconds = 86'400;
constexpr std::array<std::pair<std::string_view, Role>, 3> names = {
    {{"reader", Role::reader}, {"analyst", Role::analyst}, {"steward", Role::steward}}};

// Takes as long for every text of the length.
bool is_same(std::string_view one, std::string_view other) {
  return one.size() == other.size() && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

Failure too_open(const fs::path& file) {
  return invalid(fmt::format("the file of tokens '{}'", file.string()), "can be read by others than its owner",
                 fmt::format("run chmod 600 {}", file.string()));
}

Result<std::string> read_private(const fs::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) return too_open(file);
  return query::read_text_file(file);
}

std::optional<std::int64_t> day_of(const query::TomlNode* node) {
  const query::Day* const day = node == nullptr ? nullptr : std::get_if<query::Day>(&node->content);
  return day == nullptr ? std::nullopt : std::optional<std::int64_t>(day->number);
}

std::optional<Token> token_in(const query::TomlNode& node, std::vector<query::Problem>& problems) {
  const query::TomlTable* const table = std::get_if<query::TomlTable>(&node.content);
  if (table == nullptr) return std::nullopt;
  query::TableReader reader(*table, node.place, "the token", problems);
  const auto name = reader.text("name", "name = \"anna\"");
  const auto role = reader.word("role", {"reader", "analyst", "steward"});
  const auto hash = reader.text("sha256", "the line that 'vernier serve token' has written");
  const auto expires = day_of(reader.require("expires", "expires = 2027-01-31"));
  reader.finish();
  if (!name || !role || !hash || !expires) return std::nullopt;
  return Token{{*name, roles_of(*role_named(*role)), false}, *hash, (*expires + 1) * day_seconds};
}

Result<std::vector<Token>> tokens_in(const fs::path& file, const std::string& text) {
  const auto tree = query::parse_toml(text);
  if (!tree) return Failure(query::located(file, tree.error()));
  std::vector<query::Problem> problems;
  std::vector<Token> tokens;
  query::TableReader reader(*tree, {}, "the file of tokens", problems);
  if (const query::TomlNode* const list = reader.find("token")) {
    const query::TomlArray* const all = std::get_if<query::TomlArray>(&list->content);
    for (const query::TomlNode& node : all == nullptr ? query::TomlArray() : *all) {
      if (auto token = token_in(node, problems)) tokens.push_back(*std::move(token));
    }
  }
  reader.finish();
  if (!problems.empty()) return Failure(query::problems_in(file, problems));
  return tokens;
}

std::string line_of(const std::string& name, Role role, const std::string& hash, std::int64_t days) {
  const std::int64_t last = std::time(nullptr) / day_seconds + days;
  std::string quoted;
  for (const char c : name) quoted += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return fmt::format("[[token]]\nname = \"{}\"\nrole = \"{}\"\nsha256 = \"{}\"\nexpires = {}\n\n", quoted,
                     role_names(roles_of(role)).front(), hash,
                     query::text_of(query::Day{static_cast<std::int32_t>(last)}));
}

Result<void> append(const fs::path& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0)
    return fail(ErrorKind::system, fmt::format("the file of tokens '{}' cannot be written", file.string()));
  const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const bool kept = ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (written && kept) return {};
  return fail(ErrorKind::system, fmt::format("the file of tokens '{}' cannot be written", file.string()));
}

}  // namespace

std::vector<std::string> role_names(Roles roles) {
  std::vector<std::string> found;
  for (const auto& [name, role] : names) {
    if ((roles & roles_of(role)) != 0) found.emplace_back(name);
  }
  return found;
}

std::optional<Role> role_named(std::string_view name) {
  for (const auto& [known, role] : names) {
    if (known == name) return role;
  }
  return std::nullopt;
}

Result<std::string> new_token() {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  std::string token = "vrn_";
  for (int i = 0; i < 4; ++i) {
    VERNIER_TRY(const std::uint64_t word, source->draws.next());
    token += fmt::format("{:016x}", word);
  }
  return token;
}

Result<std::vector<Token>> read_tokens(const fs::path& file) {
  VERNIER_TRY(const std::string text, read_private(file));
  return tokens_in(file, text);
}

Result<std::string> add_token(const fs::path& file, const std::string& name, Role role, std::int64_t days) {
  if (const auto fault = fault_of_name(name)) return invalid("--name", "cannot be the name of a person: " + *fault, "");
  if (std::error_code ignored; fs::exists(file, ignored)) {
    VERNIER_TRY(read_tokens(file));
  }
  VERNIER_TRY(std::string token, new_token());
  VERNIER_TRY(const std::string hash, sha256(token));
  VERNIER_TRY(append(file, line_of(name, role, hash, days)));
  return token;
}

namespace {

// Where lines begin that are "[[token]]", and the end of the text.
std::vector<std::size_t> blocks_in(const std::string& text) {
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first != std::string::npos && text.compare(first, 9, "[[token]]") == 0) begins.push_back(at);
  }
  begins.push_back(text.size());
  return begins;
}

bool are_hashes_of(const std::vector<Token>& tokens, const std::vector<std::string>& hashes) {
  return std::equal(tokens.begin(), tokens.end(), hashes.begin(), hashes.end(),
                    [](const Token& one, const std::string& hash) { return one.hash == hash; });
}

// The file's other tokens, and what stands around them, as they were written. What is cut out is held against what the
// file says then, since a name may look like a line of it.
Result<std::string> without_token(const fs::path& file, const std::string& text, const std::vector<Token>& tokens,
                                  const Token& gone) {
  std::vector<std::string> others;
  for (const Token& one : tokens) {
    if (&one != &gone) others.push_back(one.hash);
  }
  const std::vector<std::size_t> begins = blocks_in(text);
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    std::string rest = text.substr(0, begins[i]) + text.substr(begins[i + 1]);
    const Result<std::vector<Token>> left = tokens_in(file, rest);
    if (left && are_hashes_of(*left, others)) return rest;
  }
  return fail(ErrorKind::system, fmt::format("the token cannot be cut out of '{}'", file.string()),
              "take its lines out by hand");
}

Result<void> replace_file(const fs::path& file, const std::string& text) {
  const fs::path next = file.string() + ".new";
  std::error_code error;
  fs::remove(next, error);
  VERNIER_TRY(append(next, text));
  fs::rename(next, file, error);
  if (!error) return {};
  return fail(ErrorKind::system, fmt::format("the file of tokens '{}' cannot be written", file.string()));
}

}  // namespace

Result<std::string> end_token(const fs::path& file, const std::string& hash_begin) {
  VERNIER_TRY(const std::string text, read_private(file));
  VERNIER_TRY(const std::vector<Token> tokens, tokens_in(file, text));
  const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const Token& one) {
    return hash_begin.size() >= 8 && one.hash.compare(0, hash_begin.size(), hash_begin) == 0;
  });
  if (found == tokens.end()) return invalid("there is no such token");
  VERNIER_TRY(const std::string rest, without_token(file, text, tokens, *found));
  VERNIER_TRY(replace_file(file, rest));
  return found->person.name;
}

const Token* Access::token_of(std::string_view hash, std::int64_t now) const {
  const Token* found = nullptr;
  for (const Token& token : tokens_) {
    if (is_same(token.hash, hash)) found = &token;
  }
  return found != nullptr && found->expires > now ? found : nullptr;
}

void Access::replace_tokens(std::vector<Token> tokens, const Token& start) {
  tokens_ = std::move(tokens);
  tokens_.push_back(start);
}

std::optional<Person> Access::who(std::string_view bearer, std::int64_t now) {
  const Result<std::string> hash = sha256(bearer);
  if (!hash) return std::nullopt;
  if (const Token* const token = token_of(*hash, now)) return token->person;
  const auto session = sessions_.find(*hash);
  if (session == sessions_.end()) return std::nullopt;
  Kept& kept = session->second;
  if (kept.expires <= now || kept.last + idle_seconds <= now || token_of(kept.token_hash, now) == nullptr) {
    sessions_.erase(session);  // also where its token was taken away
    return std::nullopt;
  }
  kept.last = now;
  return kept.person;
}

Result<std::optional<Access::Session>> Access::begin(std::string_view token, std::int64_t now) {
  VERNIER_TRY(std::string hash, sha256(token));
  const Token* const found = token_of(hash, now);
  if (found == nullptr) return std::nullopt;
  VERNIER_TRY(const std::string id, new_token());
  VERNIER_TRY(const std::string id_hash, sha256(id));
  forget_old(now);
  const std::int64_t expires = std::min(now + session_seconds, found->expires);
  sessions_[id_hash] = {found->person, std::move(hash), expires, now};
  return Session{id, found->person, expires};
}

void Access::end(std::string_view bearer) {
  if (const Result<std::string> hash = sha256(bearer)) sessions_.erase(*hash);
}

void Access::forget_old(std::int64_t now) {
  std::erase_if(sessions_,
                [&](const auto& one) { return one.second.expires <= now || one.second.last + idle_seconds <= now; });
  if (sessions_.size() < most_sessions) return;
  const auto oldest = std::min_element(sessions_.begin(), sessions_.end(),
                                       [](const auto& a, const auto& b) { return a.second.last < b.second.last; });
  sessions_.erase(oldest);
}

}  // namespace vernier::server
