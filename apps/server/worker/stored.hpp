#pragma once

#include <optional>
#include <string>

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/store.hpp"
#include "vernier/study/catalog.hpp"

// What the ledger of a catalog knows of a release.
namespace vernier::server {

struct Stored {
  ledger::Entry reserve;
  bool is_answered = false;
  ledger::Documents documents;
};

// By the id of the request or of the release; none where there is no such.
Result<std::optional<Stored>> stored_by(const study::Catalog& catalog, bool by_request, const std::string& id);

std::string type_of_document(const std::string& name);

}  // namespace vernier::server
