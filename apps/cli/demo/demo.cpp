#include "cli/demo/demo.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/plan/plan.hpp"
#include "cli/progress.hpp"
#include "cli/release/documents.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

template <class Texts>
std::string toml_list(const Texts& texts) {
  std::string list;
  for (const std::string_view text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  return "[" + list + "]";
}

std::string education_keys() {
  std::string keys, labels;
  for (std::size_t i = 0; i < demo_education.size(); ++i) {
    keys += fmt::format("{}{}", i == 0 ? "" : ", ", i + 1);
    labels += fmt::format("{}{} = {}", i == 0 ? "" : ", ", i + 1, toml_text(demo_education[i]));
  }
  return fmt::format("keys = [{}], labels = {{ {} }}", keys, labels);
}

}  // namespace

std::string demo_catalog() {
  return fmt::format(
      R"(# What is protected, what may be spent, and what is public about the data. Written by a steward who has not looked at it.
[budget]
epsilon = 3.0
delta = 1e-6

# One line per person.
[tables.people]
source = "people.csv"
unit = "person_id"
row_limit = 1_000_000

[tables.people.columns]
person_id = {{ type = "integer" }}
age       = {{ type = "integer", lower = 0, upper = 99 }}
sex       = {{ type = "string", keys = ["female", "male"] }}
educ      = {{ type = "integer", {} }}
income    = {{ type = "real", lower = 0, upper = 150000, granularity = 1 }}
region    = {{ type = "string", keys = {} }}

# None or several lines per person.
[tables.visits]
source = "visits.csv"
unit = "person_id"
row_limit = 10_000_000

[tables.visits.columns]
person_id  = {{ type = "integer" }}
day        = {{ type = "date", lower = 2025-01-01, upper = 2025-12-31 }}
department = {{ type = "string", keys = {} }}
clinic     = {{ type = "string" }}   # which clinics there are is private
cost       = {{ type = "real", lower = 0, upper = 1000, granularity = 0.25 }}
)",
      education_keys(), toml_list(demo_regions), toml_list(demo_departments));
}

std::string demo_study() {
  return R"(# What an analyst wants to publish, how accurate, and for how much.
catalog = "catalog.toml"
alpha = 0.05
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "people by region and sex"
sql = "SELECT region, sex, COUNT(*) AS people FROM people GROUP BY region, sex"
accuracy = { people = 100 }

[[statistic]]
name = "people by age"
sql = "SELECT BUCKET(age, 10) AS decade, COUNT(*) AS people FROM people GROUP BY decade"
accuracy = { people = 100 }

[[statistic]]
name = "income by education"
sql = "SELECT educ, COUNT(*) AS people, AVG(income) AS income FROM people WHERE age >= 25 GROUP BY educ"
weight = 2

[[statistic]]
name = "income by region"
sql = "SELECT region, AVG(income) AS income FROM people WHERE age >= 25 GROUP BY region"

[[statistic]]
name = "incomes of women and men"
sql = """SELECT sex, MEDIAN(income) AS median, QUANTILE(income, 0.9) AS top_tenth, STDDEV(income) AS deviation
         FROM people WHERE age >= 25 GROUP BY sex"""
accuracy = { median = 1000, top_tenth = 2000 }   # in ranks
weight = 0.5

[[statistic]]
name = "visits by department"
sql = """SELECT department, COUNT(DISTINCT person_id) AS patients, COUNT(*) AS visits, SUM(cost) AS cost
         FROM visits GROUP BY department"""
max_groups = 3
max_rows = 3

[[statistic]]
name = "visits by clinic"
sql = "SELECT clinic, COUNT(*) AS visits FROM visits GROUP BY clinic ORDER BY clinic"
max_groups = 2
max_rows = 2
)";
}

std::string demo_tables() {
  return R"(# A set of tables that add up: everybody by sex, region and age, one by one and two by two, each cell within 150.
catalog = "catalog.toml"
alpha = 0.05
budget = { epsilon = 0.5, delta = 1e-7 }

[[table]]
name = "people"
from = "people"
columns = ["sex", "region", "BUCKET(age, 20) AS age"]
up_to = 2
accuracy = 150
max_rows = 1
)";
}

namespace {

namespace fs = std::filesystem;

// vernier-demo, or with a number behind it: a demo never touches the files of another.
fs::path folder_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  fs::path folder = "vernier-demo";
  for (int i = 2; fs::exists(fs::symlink_status(folder)); ++i) folder = fmt::format("vernier-demo-{}", i);
  return folder;
}

}  // namespace

Result<void> write_demo(const fs::path& place) {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  DemoRandom random(*source);
  const Interrupt interrupt;
  const auto go_on = [&]() -> Result<void> {
    if (interrupt.came()) return fail(ErrorKind::system, "the demonstration was stopped; nothing was written");
    return {};
  };
  VERNIER_TRY(study::Folder folder, study::Folder::begin(place));
  return folder.write("people.csv", demo_people(random))
      .and_then([&] { return folder.write("visits.csv", demo_visits(random)); })
      .and_then([&] { return random.state(); })
      .and_then([&] { return folder.write("catalog.toml", demo_catalog()); })
      .and_then([&] { return folder.write("study.toml", demo_study()); })
      .and_then(go_on)
      .and_then([&] { return folder.finish(); });
}

namespace {

void tell_files(Output& output, const fs::path& folder) {
  output.write(
      fmt::format("\n{0} has the data (people.csv, visits.csv), what is declared about it (catalog.toml),\n"
                  "what was asked (study.toml) and what was published ({0}/release);\n"
                  "and a set of tables that add up (tables.toml, published in {0}/tables)\n\n"
                  "look at it: {0}/release/report.html\n"
                  "            {0}/tables/report.html\n"
                  "go on: vernier plan {0}/study.toml --what-if epsilon=0.5:3:6\n"
                  "       vernier verify {0}/release\n"
                  "       vernier ledger show {0}/catalog.toml\n",
                  folder.string()));
}

struct Published {
  PlanAnswer plan;
  study::Answer answer;
};

Result<Published> published(const fs::path& file, const fs::path& folder) {
  VERNIER_TRY(const study::Study study, study::Study::read(file));
  VERNIER_TRY(PlanAnswer plan, plan_of(study));
  study::Request request{.documents = documents_beside(Files::all()), .folder = folder};
  VERNIER_TRY(study::Answer answer, release_watched(plan.plan, std::move(request)));
  return Published{std::move(plan), std::move(answer)};
}

}  // namespace

Usage demo_usage() {
  return {.name = "demo",
          .summary = "invents a census extract, declares it, plans a study and releases it, and a set of tables",
          .synopsis = "vernier demo [--out DIR] [--json]",
          .options = {{"--out", Takes::one_value, "DIR",
                       "the new folder for everything (default vernier-demo, in the current one)"}},
          .example =
              "  vernier demo\n"
              "  vernier demo --out census\n"};
}

Result<void> run_demo(const Arguments& arguments, Output& output) {
  const fs::path folder = folder_for(arguments);
  if (Result<void> written = write_demo(folder); !written) return written;
  VERNIER_TRY(study::write_file((folder / "tables.toml").string(), demo_tables()));
  VERNIER_TRY(const Published study, published(folder / "study.toml", folder / "release"));
  VERNIER_TRY(const Published tables, published(folder / "tables.toml", folder / "tables"));
  const PlanAnswer& plan = study.plan;
  const study::Answer& answer = study.answer;
  if (arguments.has("--json")) {
    write_answer(output, answer, true);
    return {};
  }
  output.write(fmt::format(
      "{} invented people and their visits to hospitals\n\n# The plan, before any data is read\n\n", demo_persons));
  write_plan_report(output, plan);
  output.write("\n# The release\n\n");
  write_answer(output, answer, false);
  output.write("\n# A set of tables that add up\n\n");
  write_answer(output, tables.answer, false);
  tell_files(output, folder);
  return {};
}

}  // namespace vernier::cli
