#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/release/record/json_in.hpp"
#include "vernier/study/catalog.hpp"

// What workers answer, one function for each route: they read words and spell answers, as the command line does, and
// come in by the library's front door.
namespace vernier::server {

struct Ask {
  std::string route;
  std::string name;  // of the person, whom the front knows by their token
  bool is_steward = false;
  std::map<std::string, std::string, std::less<>> parameters;
  release::Json body;
  std::filesystem::path root;  // only catalogs below it can be named

  // A text of the body or of the address; an error where it is missing or none.
  Result<std::string> text(std::string_view key) const;
  Result<std::string> parameter_of(std::string_view key) const;
};

struct Told {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  bool is_paid = false;  // of a release that failed: the ledger has its price all the same
};

// An error as 'vernier --json' prints it.
Told told_error(int status, const Error& error);
int status_of(const Error& error);

Result<Told> answer_catalogs(const Ask& ask);
Result<Told> answer_catalog(const Ask& ask);
Result<Told> answer_question(const Ask& ask);  // calibrate, law, compose
Result<Told> answer_coverage(const Ask& ask);
Result<Told> answer_plan(const Ask& ask);
Result<Told> answer_what_if(const Ask& ask);
Result<Told> answer_counts(const Ask& ask);
Result<Told> answer_rehearse(const Ask& ask);
Result<Told> answer_check_study(const Ask& ask);
Result<Told> answer_new_catalog(const Ask& ask);
Result<Told> answer_check_catalog(const Ask& ask);
Result<Told> answer_put_catalog(const Ask& ask);
Result<Told> answer_files(const Ask& ask);
Result<Told> answer_export_ledger(const Ask& ask);
Result<Told> answer_verify(const Ask& ask);
Result<Told> answer_release(const Ask& ask);
Result<Told> answer_request_state(const Ask& ask);
Result<Told> answer_releases(const Ask& ask);
Result<Told> answer_publish(const Ask& ask);
Result<Told> answer_unpublish(const Ask& ask);
Result<Told> answer_published(const Ask& ask);
Result<Told> answer_published_document(const Ask& ask);
Result<Told> answer_document(const Ask& ask);
Result<Told> answer_ledger(const Ask& ask);
Result<Told> answer_history(const Ask& ask);
Result<Told> answer_verify_ledger(const Ask& ask);

// A catalog below the root by its name, read; nothing outside of it, whatever the name says or a link leads to.
Result<study::Catalog> catalog_named(const Ask& ask, const std::string& name);
Result<study::Text> catalog_text(const Ask& ask, const std::string& name);

// Whether the file is one, if perhaps with mistakes.
bool is_catalog(const study::Text& text);

// Whether it names something below the root by folders alone.
bool is_plain_name(const std::filesystem::path& name);

// A worker's life: questions on standard input, answers on standard output, until the front is gone.
int work(const std::vector<std::string>& words);

}  // namespace vernier::server
