#pragma once

#include <string>

#include "server/slots.hpp"
#include "server/worker/answers.hpp"
#include "vernier/study/plan.hpp"

// What planning and releasing share: a study as a request has it, and the hash by which its plan is named.
namespace vernier::server {

Result<std::string> study_name(const Ask& ask);  // "study" unless told
Result<study::Text> study_text(const Ask& ask, const std::string& name);

// A study after one edit.
Result<std::string> edited(const study::Text& study, const std::string& name, const study::Catalog& catalog,
                           const release::Json& edit);

// The answer where a plan is no longer the one that was reviewed.
Told told_changed();

// Of studies of series: their plan, and a step of them. An analyst's are named after them, so that nobody finds, or
// begins, those of another.
Result<std::string> series_name(const Ask& ask, const std::string& name);
Result<Told> answer_series_plan(const Ask& ask, const study::Catalog& catalog, const std::string& name,
                                const study::Text& text);
Result<Told> released_step(const Ask& ask, const study::Catalog& catalog, const std::string& name,
                           const study::Text& text, Hold& hold);

// The hash that the record of a release has, too: what was reviewed is what runs.
Result<std::string> plan_hash_of(const study::Plan& plan);

}  // namespace vernier::server
