#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/study.hpp"

// Everything that whoever asks gets to see, with the noise taken out: it must not depend on data.
namespace vernier::response {

struct Response {
  std::string status;              // "published", or the sentence of the error
  std::string body;                // release.json without what noise and chance have moved
  std::vector<std::string> files;  // of each CSV the heading and the number of lines
  std::string price;               // what the ledger was charged

  friend bool operator==(const Response&, const Response&) = default;
};

// For messages of tests.
std::string text_of(const Response& response);

// A change to what was released, before it is written; none for the truth.
using Tamper = std::function<void(release::Release&)>;

// Releases the plan on this engine and looks at the answer as the program would write it.
Response response_of(const study::Study& asked, const plan::Plan& plan, engine::Session& session,
                     ledger::Ledger& ledger, const Tamper& tamper = nullptr);

}  // namespace vernier::response
