#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "response/response.hpp"

// Two neighbouring tables that tempt: one person has cells that are no numbers, is the only one of a region, and has a
// name that must never be seen.
namespace vernier::response {

inline const std::string canary = "Secretia";

// A folder with table, catalog and study in it.
void write_example(const std::filesystem::path& folder, bool with_person);

// The same with 300 people in each of two regions, which are private keys, by a study with a delta; the table is in a
// file of this manner.
enum class Manner : std::uint8_t { quoted_csv, bare_csv, parquet };
void write_private_example(const std::filesystem::path& folder, bool with_person, Manner manner);

// What a mistaken program would do otherwise.
struct Mistake {
  std::string name;
  std::function<std::unique_ptr<engine::Session>(const std::filesystem::path& folder,
                                                 std::unique_ptr<engine::Session> right)>
      session;                                                                        // none: the right engine
  std::function<void(const std::filesystem::path& folder, plan::BoundStudy&)> study;  // before it is planned
  std::function<Tamper(const std::filesystem::path& folder)> tamper;
  std::function<std::string(const std::filesystem::path& folder)> sentence;  // in place of that of an error
};
std::vector<Mistake> planted_mistakes();

// The whole way, from the files in the folder to what is written.
Response respond(const std::filesystem::path& folder, const Mistake& mistake);

}  // namespace vernier::response
