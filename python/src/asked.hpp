#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "errors.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/study.hpp"
#include "watcher.hpp"

// What comes from Python and goes back where something is asked of a catalog: rows, texts with their places, answers.
namespace vernier::python {

// Rows that a program gave, to be given back to nobody: Python can hold them, and pass them on to a release.
struct Frame {
  std::shared_ptr<const engine::ArrowTable> rows;
  nanobind::object held;  // what must live as long as they do

  // Of rows that somebody else may write into: the columns that are asked, and what they were when they were given.
  std::vector<std::string> watched = {};
  std::uint64_t print = 0;
};

// Of a dictionary from the names of tables to frames.
inline engine::MemoryTables memory_of(const nanobind::dict& frames) {
  engine::MemoryTables memory;
  for (const auto& [name, frame] : frames)
    memory[nanobind::cast<std::string>(name)] = nanobind::cast<const Frame&>(frame).rows;
  return memory;
}

// Paths and texts come as bytes: a path need not be UTF-8, and the hash of a catalog is that of its bytes.
inline std::string string_of(const nanobind::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline nanobind::bytes bytes_of(const std::string& text) { return nanobind::bytes(text.data(), text.size()); }

// A catalog, a study or a record as Python has it: where it lies or would lie, and its text.
using Located = std::pair<nanobind::bytes, nanobind::bytes>;
inline study::Text located(const Located& file) {
  return {std::filesystem::path(string_of(file.first)), string_of(file.second)};
}

// Runs C++ that needs no Python, and holds the GIL again before its error is raised.
template <class Work>
auto without_gil(const Work& work) {
  auto result = [&] {
    const nanobind::gil_scoped_release released;
    return work();
  }();
  return value_of(std::move(result));
}

using Documents = std::vector<std::pair<std::string, nanobind::bytes>>;

inline Documents documents_of(const ledger::Documents& documents) {
  Documents made;
  for (const ledger::Document& one : documents) made.emplace_back(one.name, bytes_of(one.content));
  return made;
}

// Whoever stops a release is told, where Python can say it, whether it was paid for.
inline void raise_if_stopped(Watcher& watcher, const Result<study::Answer>& answer) {
  try {
    watcher.raise_if_stopped();
  } catch (nanobind::python_error& stopped) {
    if (!answer && nanobind::hasattr(stopped.value(), "add_note"))
      stopped.value().attr("add_note")(answer.error().sentence(keyword_spelling));
    throw;
  }
}

// What Python is told of an answer: its documents, whether it was given before, and what is left of epsilon and delta.
using Told = std::tuple<Documents, bool, std::pair<double, double>>;
inline Told told_of(const study::Answer& answer) {
  return {documents_of(answer.documents), answer.is_repeated, {answer.left.epsilon, answer.left.delta}};
}

// Runs a release without the GIL; Ctrl-C stops it.
template <class Work>
Told released(Watcher& watcher, const Work& work) {
  Result<study::Answer> answer = [&] {
    const nanobind::gil_scoped_release released_lock;
    return work();
  }();
  raise_if_stopped(watcher, answer);
  return told_of(value_of(std::move(answer)));
}

}  // namespace vernier::python
