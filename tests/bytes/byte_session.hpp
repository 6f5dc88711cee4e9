#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/shape.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/engine/duckdb/session.hpp"

namespace vernier::bytes {

// A shape with its tables in a folder: the first is the base, and the others have the odd record. Each has a name of
// its own, by which one engine knows them all.
struct PlacedShape {
  query::Catalog catalog;  // in which the base is called t, as statements do
  Shape shape = {};
  std::vector<query::Table> tables = {};  // t0_0, t0_1, ...
  std::vector<std::string> refused = {};  // of each: the sentence, without its path, by which its schema is; or nothing
};

// Some shapes with their tables, and one engine for all of them.
class ByteSession {
 public:
  explicit ByteSession(std::vector<Shape> shapes);

  const std::vector<PlacedShape>& shapes() const { return shapes_; }
  engine::Session& engine() { return *session_; }

  // Why there is no engine: which table could not be opened though its schema was taken; empty where there is one.
  const std::string& failure() const { return failure_; }

 private:
  void place(Shape shape, std::size_t number);
  void open();

  testing::TemporaryFolder folder_;
  std::vector<PlacedShape> shapes_;
  engine::MemoryTables memory_;
  std::unique_ptr<engine::Session> session_;
  std::string failure_;
};

}  // namespace vernier::bytes
