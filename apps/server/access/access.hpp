#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

// Who somebody is: by a token that was given to them, or by a session that a token has begun. Nothing of it is written
// but hashes, and no request says who asks.
namespace vernier::server {

enum class Role : std::uint8_t { reader = 1, analyst = 2, steward = 4 };
using Roles = std::uint8_t;  // of which of them
inline constexpr Roles nobody_asked = 0, readers = 7, analysts = 6, stewards = 4;

constexpr Roles roles_of(Role role) { return static_cast<Roles>(role); }
std::vector<std::string> role_names(Roles roles);
std::optional<Role> role_named(std::string_view name);

struct Person {
  std::string name;  // whose share pays; empty where nobody was named
  Roles roles = 0;
  bool is_local = false;  // who started the server, and owns what it reads
};

// A line of the file of tokens.
struct Token {
  Person person;
  std::string hash;          // SHA-256 of the token
  std::int64_t expires = 0;  // seconds since 1970
};

Result<std::string> new_token();  // "vrn_" and 256 bits of the operating system
Result<std::vector<Token>> read_tokens(const std::filesystem::path& file);
// Adds a line to the file, which is made where it is missing, readable by its owner alone; returns the token.
Result<std::string> add_token(const std::filesystem::path& file, const std::string& name, Role role, std::int64_t days);

// Takes the token out whose hash begins so; its person's name. An error where there is none.
Result<std::string> end_token(const std::filesystem::path& file, const std::string& hash_begin);

inline constexpr std::int64_t session_seconds = 8 * 3600, idle_seconds = 3600;
inline constexpr std::size_t most_sessions = 10'000;

class Access {
 public:
  explicit Access(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  void replace_tokens(std::vector<Token> tokens, const Token& start);

  // Of a token or of a session.
  std::optional<Person> who(std::string_view bearer, std::int64_t now);

  struct Session {
    std::string id;
    Person person;
    std::int64_t expires;
  };
  // None where the token is unknown or has expired.
  Result<std::optional<Session>> begin(std::string_view token, std::int64_t now);
  void end(std::string_view bearer);

 private:
  struct Kept {
    Person person;
    std::string token_hash;
    std::int64_t expires;
    std::int64_t last;
  };
  const Token* token_of(std::string_view hash, std::int64_t now) const;
  void forget_old(std::int64_t now);

  std::vector<Token> tokens_;
  std::map<std::string, Kept, std::less<>> sessions_;  // by the hash of the id
};

}  // namespace vernier::server
