#include "ledger/disk_state.hpp"

#include <algorithm>
#include <stdexcept>

#include <sqlite3.h>

namespace vernier::testing {
namespace {

// What os_unix.c answers where the system call below fails.
int error_of(Call call) {
  switch (call) {
    case Call::open:
    case Call::make:
      return SQLITE_CANTOPEN;
    case Call::read:
      return SQLITE_IOERR_READ;
    case Call::write:
      return SQLITE_IOERR_WRITE;
    case Call::truncate:
      return SQLITE_IOERR_TRUNCATE;
    case Call::sync:
      return SQLITE_IOERR_FSYNC;
    case Call::size:
      return SQLITE_IOERR_FSTAT;
    case Call::lock:
      return SQLITE_IOERR_LOCK;
    case Call::remove:
      return SQLITE_IOERR_DELETE;
    case Call::look:
      return SQLITE_IOERR_ACCESS;
    case Call::map:
      return SQLITE_IOERR_SHMMAP;
    case Call::extend:
      return SQLITE_IOERR_SHMSIZE;
    case Call::lock_map:
      return SQLITE_IOERR_SHMLOCK;
  }
  return SQLITE_IOERR;
}

bool may_happen(Fault fault, Call call) {
  const bool takes_room = call == Call::make || call == Call::write || call == Call::sync || call == Call::extend;
  return fault == Fault::io_error || (fault == Fault::disk_full && takes_room) || call == Call::write;
}

unsigned bits(int first, int number) {
  return ((1U << static_cast<unsigned>(number)) - 1U) << static_cast<unsigned>(first);
}

}  // namespace

DiskState::DiskState(const DiskState& like) {
  if (like.open_files != 0) throw std::logic_error("a disk in use is copied");
  for (const auto& [name, inode] : like.seen_) {
    seen_[name] = std::make_shared<Inode>();
    seen_[name]->file = inode->file;
    if (like.durable_.contains(name)) durable_[name] = seen_[name];
  }
}

int DiskState::answer_to(Call call) {
  ++calls;
  if (stop_at != 0 && calls >= stop_at) return SQLITE_IOERR;
  if (calls != fail_at || !may_happen(fault, call)) return SQLITE_OK;
  has_failed = true;
  failed_to_write = call == Call::write || call == Call::truncate || call == Call::sync;
  return fault == Fault::io_error || call != Call::write ? error_of(call) : SQLITE_FULL;
}

std::unique_ptr<OpenFile> DiskState::open(const char* name, int flags, int& code) {
  const std::string wanted = name == nullptr ? "" : name;  // without a name: until it is closed
  const auto found = seen_.find(wanted);
  const bool makes = found == seen_.end() && (flags & SQLITE_OPEN_CREATE) != 0;
  code = answer_to(makes ? Call::make : Call::open);
  if (code == SQLITE_OK && found == seen_.end() && !makes) code = SQLITE_CANTOPEN;
  if (code != SQLITE_OK) return nullptr;
  auto file = std::make_unique<OpenFile>();
  file->inode = makes ? std::make_shared<Inode>() : found->second;
  file->name = wanted;
  file->goes_when_closed = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  file->syncs_folder = (flags & SQLITE_OPEN_CREATE) != 0 && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  if (makes && !wanted.empty()) seen_[wanted] = file->inode;
  ++open_files;
  return file;
}

void DiskState::close(const OpenFile& file) {
  if (file.goes_when_closed) seen_.erase(file.name);
  --open_files;
}

int DiskState::remove(const std::string& name, bool syncs_folder) {
  if (const int code = answer_to(Call::remove); code != SQLITE_OK) return code;
  if (seen_.erase(name) == 0) return SQLITE_IOERR_DELETE_NOENT;
  if (syncs_folder && !ignores_syncs) durable_ = seen_;
  return SQLITE_OK;
}

int DiskState::look(const std::string& name, bool with_content, int& is_there) {
  const auto found = seen_.find(name);
  is_there = found != seen_.end() && (!with_content || !found->second->file.seen().empty()) ? 1 : 0;
  return answer_to(Call::look);
}

int DiskState::read(const OpenFile& file, char* to, std::size_t size, std::size_t at) {
  if (const int code = answer_to(Call::read); code != SQLITE_OK) return code;
  const std::string_view content = file.inode->file.seen();
  const std::string_view found = content.substr(std::min(at, content.size()), size);
  std::fill_n(std::copy(found.begin(), found.end(), to), size - found.size(), '\0');
  return found.size() == size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int DiskState::write(const OpenFile& file, std::string_view bytes, std::size_t at) {
  const bool failed_before = has_failed;
  const int code = answer_to(Call::write);
  if (code == SQLITE_OK) file.inode->file.write(at, bytes);
  const bool fails_now = has_failed && !failed_before;
  if (fails_now && fault == Fault::short_write) file.inode->file.write(at, bytes.substr(0, bytes.size() / 2));
  return code;
}

int DiskState::truncate(const OpenFile& file, std::size_t size) {
  if (const int code = answer_to(Call::truncate); code != SQLITE_OK) return code;
  file.inode->file.truncate(size);
  return SQLITE_OK;
}

int DiskState::sync(OpenFile& file) {
  const bool failed_before = has_failed;
  const int code = answer_to(Call::sync);
  if (has_failed && !failed_before) file.inode->file.fail_to_sync(chance);
  if (code != SQLITE_OK || ignores_syncs) return code;
  file.inode->file.sync();
  if (file.syncs_folder) durable_ = seen_;
  file.syncs_folder = false;
  return SQLITE_OK;
}

int DiskState::size(const OpenFile& file, std::int64_t& size) {
  size = static_cast<std::int64_t>(file.inode->file.seen().size());
  return answer_to(Call::size);
}

int DiskState::lock(OpenFile& file, int level) {
  if (const int code = answer_to(Call::lock); code != SQLITE_OK) return code;
  file.level = file.inode->locks.raise(&file, file.level, level);
  return file.level >= level ? SQLITE_OK : SQLITE_BUSY;
}

void DiskState::unlock(OpenFile& file, int level) {
  file.inode->locks.lower(&file, file.level, level);
  file.level = std::min(file.level, level);
}

bool DiskState::is_reserved(const OpenFile& file) { return file.inode->locks.is_reserved(); }

int DiskState::map(OpenFile& file, int region, int size, bool extends, char*& to) {
  to = nullptr;
  if (const int code = answer_to(extends ? Call::extend : Call::map); code != SQLITE_OK) return code;
  if (!file.memory) file.memory = file.inode->memory.lock();
  if (!file.memory) file.inode->memory = file.memory = std::make_shared<SharedMemory>();
  to = file.memory->region(region, size, extends);
  return SQLITE_OK;
}

int DiskState::lock_memory(OpenFile& file, int first, int number, bool alone) {
  if (const int code = answer_to(Call::lock_map); code != SQLITE_OK) return code;
  unsigned& held = alone ? file.is_alone : file.shares;
  if ((held & bits(first, number)) == bits(first, number)) return SQLITE_OK;
  const bool got = alone ? file.memory->lock_alone(first, number) : file.memory->lock_shared(first);
  if (got) held |= bits(first, number);
  return got ? SQLITE_OK : SQLITE_BUSY;
}

void DiskState::unlock_memory(OpenFile& file, int first, int number, bool alone) {
  unsigned& held = alone ? file.is_alone : file.shares;
  for (int slot = first; slot < first + number; ++slot) {
    if ((held & bits(slot, 1)) == 0) continue;
    alone ? file.memory->unlock_alone(slot, 1) : file.memory->unlock_shared(slot);
    held &= ~bits(slot, 1);
  }
}

void DiskState::unmap(OpenFile& file) {
  if (!file.memory) return;
  unlock_memory(file, 0, 8, true);
  unlock_memory(file, 0, 8, false);
  file.memory.reset();
}

// Each name that was made or removed since the folder was synced stays as it was, or not.
void DiskState::lose_names() {
  Names names = seen_;
  names.merge(Names(durable_));
  for (const auto& [name, inode] : names) {
    const bool is_new = seen_.contains(name), was_there = durable_.contains(name);
    const bool changed = is_new != was_there || (is_new && seen_[name] != durable_[name]);
    if (!changed || std::bernoulli_distribution(0.5)(chance)) continue;
    was_there ? seen_.insert_or_assign(name, durable_[name]) : std::pair(seen_.end(), seen_.erase(name) > 0);
  }
  durable_ = seen_;
}

void DiskState::lose_power(std::uint64_t seed) {
  chance.seed(seed);
  lose_names();
  constexpr Survival kinds[] = {Survival::none, Survival::none, Survival::first, Survival::first,
                                Survival::some, Survival::some, Survival::some,  Survival::all};
  for (const auto& [name, inode] : seen_) {
    inode->file.lose_power(kinds[std::uniform_int_distribution<std::size_t>(0, std::size(kinds) - 1)(chance)], chance);
  }
  begin_anew();
}

void DiskState::begin_anew() {
  if (open_files != 0) throw std::logic_error("a disk begins anew while its files are open");
  calls = stop_at = fail_at = 0;
  has_failed = ignores_syncs = false;
}

}  // namespace vernier::testing
