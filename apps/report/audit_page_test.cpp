#include <gtest/gtest.h>

#include "report/page.hpp"

namespace vernier::report {
namespace {

using audit::Finding;
using audit::Report;
using audit::Verdict;

Report report_with(Verdict verdict, const std::string& outcome) {
  const Finding finding{.claim = "a claim",
                        .trials = 20'000,
                        .of = "draws",
                        .outcome = outcome,
                        .caught = "a mistake",
                        .verdict = verdict};
  return {{{.name = "laws", .title = "The title", .question = "What?", .findings = {finding}}}, {"DuckDB 9.9"}, 0.5};
}

std::string page_of(Verdict verdict, const std::string& outcome = "outcome") {
  return audit_page(report_with(verdict, outcome), "2026-11-17T02:32:15Z");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(AuditPage, SaysWhatWasTriedHowOftenAndWhatItWouldHaveCaught) {
  const std::string page = page_of(Verdict::stands);
  for (const char* const part : {"Nothing is refuted", "a claim", "20,000 draws", "a mistake", "stands", "DuckDB 9.9",
                                 "2026-11-17", "0.5 minutes", "40 sampler whose time depends on its value"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
}

TEST(AuditPage, BeginsWithTheWorst) {
  EXPECT_TRUE(contains(page_of(Verdict::refuted), "<h1>A claim is refuted</h1>"));
  EXPECT_TRUE(contains(page_of(Verdict::powerless), "<h1>Too small to say</h1>"));
}

TEST(AuditPage, LoadsAndRunsNothing) {
  const std::string page = page_of(Verdict::refuted, "<script>alert(1)</script>");
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(page, "default-src 'none'"));
}

}  // namespace
}  // namespace vernier::report
