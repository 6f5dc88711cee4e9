#pragma once

#include <filesystem>

#include "vernier/release/signing/signing_key.hpp"

// Where an installation keeps the key by which it signs its releases.
namespace vernier::release {

inline constexpr const char* signing_key_name = "signing.key";  // PKCS#8 in PEM, for its owner alone
inline constexpr const char* public_key_name = "signing.pub";   // beside it, for whoever checks

// $XDG_CONFIG_HOME/vernier, or $HOME/.config/vernier. An error where neither is an absolute path.
Result<std::filesystem::path> key_folder();

// The key in the folder; made there at first use, for which folder and key appear whole or not at all, so that any
// number of processes that begin at once agree on one. Refused where others may read it, or where it is no key.
Result<SigningKey> open_signing_key(const std::filesystem::path& folder);

// That of this installation.
Result<SigningKey> installation_key();

}  // namespace vernier::release
