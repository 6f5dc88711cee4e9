#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "support/recorder.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/study.hpp"

namespace vernier::engines {

// A table of 400 people on a server, 300 of them in the north, with a catalog and a study of it in a folder, and what
// becomes of a release. Who derives makes the table.
class TableOnServer : public ::testing::Test {
 protected:
  void begin(query::Engine engine, const std::string& kind, const std::string& people) {
    engine_ = std::move(engine);
    kind_ = kind;
    people_ = people;
    ::setenv("XDG_CONFIG_HOME", path("config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", path("state").c_str(), 1);
    write_catalog(columns_);
    write("study.toml",
          "catalog = \"catalog.toml\"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = \"people\"\n"
          "sql = \"SELECT region, COUNT(*) AS people, SUM(age) AS age FROM people GROUP BY region\"\n"
          "[[statistic]]\nname = \"all\"\nsql = \"SELECT COUNT(*) AS people, MEDIAN(age) AS age FROM people\"\n");
  }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& content) const { std::ofstream(path(name)) << content; }
  void write_catalog(const std::string& columns) const { write_catalog(columns, engine_.address, people_); }
  void write_catalog(const std::string& columns, const std::string& address, const std::string& table,
                     const std::string& more = "") const {
    write("catalog.toml", "[budget]\nepsilon = 30\n[engine]\nkind = \"" + kind_ + "\"\naddress = \"" + address +
                              "\"\n" + more + "[tables.people]\nsource = { table = \"" + table +
                              "\" }\nunit = \"person_id\"\n[tables.people.columns]\n" + columns);
  }

  Result<study::Answer> released(const study::Request& request = {}) const {
    return study::Study::read(path("study.toml"))
        .and_then([&](const study::Study& study) { return study.plan(); })
        .and_then([&](const study::Plan& plan) { return plan.release(request); });
  }
  std::int64_t spends() const {
    const auto show = study::ledger_show(study::read_text(path("catalog.toml")).value(), {}, nobody_watches);
    return show ? show->reading.summary.all().releases : -1;
  }
  // Nothing is spent, and the sentence tells what to do.
  void expect_refused(const std::string& part) const {
    const Result<study::Answer> answer = released();
    ASSERT_FALSE(answer) << part;
    EXPECT_NE(answer.error().sentence().find(part), std::string::npos) << answer.error().sentence();
    EXPECT_NE(answer.error().kind, ErrorKind::engine) << answer.error().sentence();
    EXPECT_LE(spends(), 0);
  }

  std::unique_ptr<engine::Connection> connected() const {
    auto connection = engine::connect(engine_);
    EXPECT_TRUE(connection) << connection.error().sentence();
    return *std::move(connection);
  }
  // How many rows a table has, by its name in statements.
  static std::int64_t counted(engine::Connection& connection, const std::string& table) {
    const auto cells = connection.read("SELECT count(*) FROM (SELECT person_id FROM " + table + ") AS s",
                                       {query::Type::integer}, 1, nobody_watches);
    return cells ? std::get<std::int64_t>(*cells->rows.front().front()) : -1;
  }

  const std::string columns_ =
      "person_id = { type = \"integer\" }\nregion = { type = \"string\", keys = [\"north\", \"south\"] }\n"
      "age = { type = \"integer\", lower = 0, upper = 99 }\n";
  testing::TemporaryFolder folder_;
  query::Engine engine_;

 private:
  std::string kind_, people_;
};

}  // namespace vernier::engines
