#include "bytes/byte_session.hpp"

#include <fstream>

namespace vernier::bytes {
namespace {

using numeric::Rational;

query::Catalog catalog_of(const std::filesystem::path& folder, const std::vector<query::Table>& tables) {
  const query::Budget budget{Rational::of(1000), Rational::of(0), "ledger", query::Filter::pure};
  return {folder / "catalog.toml", budget, tables};
}

query::Table named(query::Table table, const std::string& name) {
  table.name = name;
  if (table.source.kind == query::SourceKind::csv) table.source.path = name + table.source.path.string();
  if (table.source.kind == query::SourceKind::parquet) table.source.path = name + ".parquet";
  return table;
}

// Into the file, or into one for each number in the place of the star.
void write(const Content& content, const std::string& path) {
  const std::size_t star = path.rfind('*');
  const auto at = [&](std::size_t number) {
    return star == std::string::npos ? path : path.substr(0, star) + std::to_string(number) + path.substr(star + 1);
  };
  std::ofstream(at(0), std::ios::binary) << content.file;
  for (std::size_t i = 0; i < content.more.size(); ++i) std::ofstream(at(i + 1), std::ios::binary) << content.more[i];
}

// A sentence may name the file, and nothing in it.
std::string without(std::string sentence, const std::string& name) {
  for (std::size_t at = sentence.find(name); at != std::string::npos; at = sentence.find(name))
    sentence.replace(at, name.size(), "*");
  return sentence;
}

}  // namespace

ByteSession::ByteSession(std::vector<Shape> shapes) : folder_(testing::quick_folder()) {
  for (std::size_t i = 0; i < shapes.size(); ++i) place(std::move(shapes[i]), i);
  open();
}

void ByteSession::place(Shape shape, std::size_t number) {
  PlacedShape placed{.catalog = catalog_of(folder_.path(), {shape.table})};
  const query::Catalog here = catalog_of(folder_.path(), {});
  for (std::size_t i = 0; i <= shape.odd.size(); ++i) {
    const Content& content = i == 0 ? shape.base : shape.odd[i - 1].content;
    const std::string name = "t" + std::to_string(number) + "_" + std::to_string(i);
    const query::Table table = named(shape.table, name);
    if (content.rows != nullptr) {
      memory_[name] = content.rows;
    } else {
      write(content, (folder_.path() / table.source.path).string());
    }
    const Result<void> checked = engine::check_source(here, table, memory_);
    placed.refused.push_back(checked ? "" : without(checked.error().sentence(), name));
    placed.tables.push_back(table);
  }
  placed.shape = std::move(shape);
  shapes_.push_back(std::move(placed));
}

void ByteSession::open() {
  std::vector<query::Table> all, taken;
  for (const PlacedShape& placed : shapes_) {
    all.insert(all.end(), placed.tables.begin(), placed.tables.end());
    for (std::size_t i = 0; i < placed.tables.size(); ++i) {
      if (placed.refused[i].empty()) taken.push_back(placed.tables[i]);
    }
  }
  const query::Catalog catalog = catalog_of(folder_.path(), all);
  auto session = engine::open_duckdb(catalog, taken, {.threads = 1}, memory_);
  if (session) {
    session_ = *std::move(session);
    return;
  }
  failure_ = session.error().sentence();
  for (const query::Table& table : taken) {
    const auto alone = engine::open_duckdb(catalog, {table}, {.threads = 1}, memory_);
    if (!alone) failure_ += "\n" + table.name + ": " + alone.error().sentence();
  }
}

}  // namespace vernier::bytes
