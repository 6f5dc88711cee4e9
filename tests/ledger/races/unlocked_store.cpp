#include "ledger/races/unlocked_store.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace vernier::testing {

using namespace ledger;

namespace {

// Reads of a transaction that is over by then, writes of another one at the end.
class UnlockedTransaction final : public Transaction {
 public:
  UnlockedTransaction(Store& store, std::unique_ptr<Transaction> view) : store_(store), view_(std::move(view)) {}

  Result<std::optional<Tally>> tally() override { return view_->tally(); }
  Result<void> visit_after(std::int64_t index, const Visit& visit) override { return view_->visit_after(index, visit); }
  Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) override {
    return view_->find_release(kind, release);
  }
  Result<std::optional<Entry>> find_request(const std::string& request) override {
    return view_->find_request(request);
  }
  Result<Documents> documents(const std::string& release) override { return view_->documents(release); }

  Result<void> begin(const Entry& first, const Cost& budget) override {
    return later([first, budget](Transaction& work) { return work.begin(first, budget); });
  }
  Result<void> append(const Entry& entry) override {
    return later([entry](Transaction& work) { return work.append(entry); });
  }
  Result<void> keep(const std::string& release, const Documents& documents) override {
    return later([release, documents](Transaction& work) { return work.keep(release, documents); });
  }

  Result<void> commit() override {
    view_.reset();
    const auto work = store_.begin(Access::write);
    if (!work) return Failure(work.error());
    for (const Write& write : writes_) {
      if (Result<void> written = write(**work); !written) return written;
    }
    return (*work)->commit();
  }

 private:
  using Write = std::function<Result<void>(Transaction&)>;
  Result<void> later(Write write) {
    writes_.push_back(std::move(write));
    return {};
  }
  Store& store_;
  std::unique_ptr<Transaction> view_;
  std::vector<Write> writes_;
};

class UnlockedStore final : public Store {
 public:
  explicit UnlockedStore(std::unique_ptr<Store> store) : store_(std::move(store)) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    Result<std::unique_ptr<Transaction>> view = store_->begin(Access::read);
    if (!view || access == Access::read) return view;
    return std::make_unique<UnlockedTransaction>(*store_, *std::move(view));
  }
  const std::string& name() const override { return store_->name(); }

 private:
  std::unique_ptr<Store> store_;
};

// On a copy of everything.
class PlainTransaction final : public Transaction {
 public:
  PlainTransaction(std::shared_ptr<PlainFile> file, bool locks) : file_(std::move(file)) {
    if (locks) held_ = std::unique_lock(file_->lock);
    const std::scoped_lock lock(file_->bytes);
    content_ = file_->content;
  }

  Result<std::optional<Tally>> tally() override { return content_.tally; }
  Result<void> visit_after(std::int64_t index, const Visit& visit) override {
    for (const Entry& entry : content_.entries) {
      if (entry.index <= index) continue;
      if (Result<void> visited = visit(entry); !visited) return visited;
    }
    return {};
  }
  Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) override {
    return found([&](const Entry& one) { return one.kind == kind && one.release == release; });
  }
  Result<std::optional<Entry>> find_request(const std::string& request) override {
    return found([&](const Entry& one) { return one.kind == Kind::reserve && one.request == request; });
  }
  Result<Documents> documents(const std::string& release) override {
    for (const auto& [of, documents] : content_.documents) {
      if (of == release) return documents;
    }
    return Documents();
  }
  Result<void> begin(const Entry& first, const Cost& budget) override {
    content_.entries.push_back(first);
    content_.tally = {{first.index, first.hash}, budget};
    return {};
  }
  Result<void> append(const Entry& entry) override {
    content_.entries.push_back(entry);
    content_.tally = {{entry.index, entry.hash}, content_.tally->left - entry.cost};
    return {};
  }
  Result<void> keep(const std::string& release, const Documents& documents) override {
    content_.documents.emplace_back(release, documents);
    return {};
  }
  Result<void> commit() override {
    std::this_thread::sleep_for(std::chrono::microseconds(300));  // as long as a disk takes
    const std::scoped_lock lock(file_->bytes);
    file_->content = std::move(content_);
    return {};
  }

 private:
  Result<std::optional<Entry>> found(const std::function<bool(const Entry&)>& is_it) {
    const auto one = std::find_if(content_.entries.begin(), content_.entries.end(), is_it);
    return one == content_.entries.end() ? std::optional<Entry>() : *one;
  }
  std::shared_ptr<PlainFile> file_;
  std::unique_lock<std::mutex> held_;
  PlainContent content_;
};

class PlainStore final : public Store {
 public:
  PlainStore(std::shared_ptr<PlainFile> file, PlainLock lock) : file_(std::move(file)), lock_(lock) {}
  Result<std::unique_ptr<Transaction>> begin(Access access) override {
    return std::make_unique<PlainTransaction>(file_, access == Access::write && lock_ == PlainLock::held);
  }
  const std::string& name() const override { return name_; }

 private:
  std::shared_ptr<PlainFile> file_;
  PlainLock lock_;
  std::string name_ = "memory";
};

}  // namespace

std::unique_ptr<Store> without_lock(std::unique_ptr<Store> store) {
  return std::make_unique<UnlockedStore>(std::move(store));
}

std::unique_ptr<Store> plain_store(std::shared_ptr<PlainFile> file, PlainLock lock) {
  return std::make_unique<PlainStore>(std::move(file), lock);
}

}  // namespace vernier::testing
