#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "vernier/core/progress.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/engine/spark/connection.hpp"
#include "vernier/release/record/record.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/study.hpp"

// What a release takes, and what it gives.
namespace vernier::study {

// A release that was paid for, with what documents are made from. `balance` is what the ledger has left.
struct Published {
  Study study;
  release::Release release;
  ledger::Balance balance;
};

// What is made beside release.json, stored with it and answered. The record is signed after these and vouches for each
// of them, but for `spoken`, a text for a person that is neither hashed nor written to a folder.
using MakeDocuments = std::function<Result<ledger::Documents>(const Published&)>;
inline constexpr std::string_view spoken = "report.txt";
Result<ledger::Documents> record_alone(const Published& published);  // makes nothing

struct Request {
  std::string analyst = {};  // whose share of the budget pays, where there are shares
  std::string request = {};  // an id of the asker's own: the same id gets the same answer
  bool same = false;         // without an id, the same plan over the same rows gets the same answer (repeat.hpp)
  MakeDocuments documents = record_alone;
  std::optional<std::filesystem::path> folder = {};  // a new one for the documents; it appears whole or not at all
  engine::MemoryTables memory = {};                  // rows of tables with format = "arrow"
  std::shared_ptr<const engine::GivenSession> session = {};  // of the catalog's engine, where the program has one
  Progress progress = nobody_watches;                        // where it says no the run stops; what was paid stays paid
};

// What there is still to spend, rounded down.
struct Left {
  double epsilon = 0;
  double delta = 0;
};

struct Answer {
  ledger::Receipt receipt;  // of the reservation
  ledger::Documents documents;
  bool is_repeated;  // stored before: this is the same request once more, and nothing was charged
  Left left = {};    // after it, of the budget or of the analyst's share
  std::shared_ptr<const Published> published = {};  // none where it is repeated

  // The bytes of release.json, and what it says.
  const std::string& record_text() const;
  Result<release::Record> record() const;
};

// What the record of a release says of the question.
release::Asked asked_of(const Study& study);

}  // namespace vernier::study
