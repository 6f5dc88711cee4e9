#include "study.hpp"

#include <memory>

#include "answer.hpp"
#include "cli/release/documents.hpp"
#include "vernier/study.hpp"

namespace vernier::r {
namespace {

study::Text in_folder(const cli::Given& given, const char* name, std::string text) {
  return {std::filesystem::path(text_of(given, "folder")) / name, std::move(text)};
}

// All streams are taken, so that none is left with its rows where one of them is refused.
Result<engine::MemoryTables> taken(const vernier_rows* tables, std::size_t length) {
  std::vector<Result<std::shared_ptr<const engine::ArrowTable>>> all;
  for (std::size_t i = 0; i < length; ++i) all.push_back(engine::ArrowTable::take(tables[i].rows));
  engine::MemoryTables memory;
  for (std::size_t i = 0; i < length; ++i) {
    VERNIER_TRY(memory[tables[i].table], std::move(all[i]));
  }
  return memory;
}

const std::string* document_of(const study::Answer& answer, std::string_view name) {
  for (const ledger::Document& one : answer.documents) {
    if (one.name == name) return &one.content;
  }
  return nullptr;
}

Result<Texts> released(const cli::Given& given, engine::MemoryTables memory, const Progress& progress) {
  VERNIER_TRY(const study::Study asked, study_of(given));
  VERNIER_TRY(const study::Plan plan, asked.plan());
  const bool writes = given.has("out");
  const study::Request request{.analyst = text_of(given, "analyst"),
                               .request = text_of(given, "request"),
                               .documents = cli::documents_beside(writes ? cli::Files::all() : cli::Files::answer()),
                               .folder = writes ? std::optional<std::filesystem::path>(given.one("out")) : std::nullopt,
                               .memory = std::move(memory),
                               .progress = progress};
  VERNIER_TRY(const study::Answer answer, plan.release(request));
  const std::string* const report = document_of(answer, study::spoken);
  return Texts{answer.record_text(), report == nullptr ? "" : *report, answer.is_repeated ? "repeated" : ""};
}

}  // namespace

std::string text_of(const cli::Given& given, std::string_view name) {
  return given.has(name) ? given.one(name) : std::string();
}

study::Text catalog_text(const cli::Given& given) { return in_folder(given, "<catalog>", given.one("catalog_text")); }

Result<study::Study> study_of(const cli::Given& given) {
  if (given.has("study")) {
    study::CatalogRule rule;
    if (given.has("catalog")) rule.only = given.one("catalog");
    return study::Study::read(given.one("study"), rule);
  }
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::of(catalog_text(given)));
  return study::Study::of(given.one("name"), in_folder(given, "<study>", given.one("study_text")), catalog);
}

}  // namespace vernier::r

extern "C" vernier_answer* vernier_release(const vernier_word* words, size_t count, const vernier_rows* tables,
                                           size_t length, vernier_watch watch) {
  using namespace vernier;
  return r::answered([&]() -> Result<r::Texts> {
    VERNIER_TRY(engine::MemoryTables memory, r::taken(tables, length));
    return r::released(r::given(words, count), std::move(memory), r::watched(watch));
  });
}
