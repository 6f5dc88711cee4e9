#include "ledger/simulated_disk.hpp"

#include <atomic>
#include <cstring>

#include <sqlite3.h>

#include "ledger/disk_state.hpp"

// SQLite's interface to files, passed on to the state of the disk.
namespace vernier::testing {
namespace {

// What SQLite holds of an open file.
struct Handle {
  sqlite3_file head;
  DiskState* disk;
  OpenFile* open;
};

thread_local int depth = 0;
struct Inside {
  Inside() { ++depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { --depth; }
};

// Under the disk's lock.
template <class Action>
auto with(sqlite3_file* file, const Action& action) {
  const Inside inside;
  auto& handle = *reinterpret_cast<Handle*>(file);
  const std::scoped_lock lock(handle.disk->mutex);
  return action(*handle.disk, *handle.open);
}

template <class Action>
auto with(sqlite3_vfs* vfs, const Action& action) {
  const Inside inside;
  auto& disk = *static_cast<DiskState*>(vfs->pAppData);
  const std::scoped_lock lock(disk.mutex);
  return action(disk);
}

int unmap_memory(sqlite3_file* file, int) {
  with(file, [](DiskState& disk, OpenFile& open) { disk.unmap(open); });
  return SQLITE_OK;
}

int unlock(sqlite3_file* file, int level) {
  with(file, [&](DiskState& disk, OpenFile& open) { disk.unlock(open, level); });
  return SQLITE_OK;
}

int close(sqlite3_file* file) {
  unmap_memory(file, 0);
  unlock(file, SQLITE_LOCK_NONE);
  with(file, [](DiskState& disk, const OpenFile& open) { disk.close(open); });
  delete reinterpret_cast<Handle*>(file)->open;
  return SQLITE_OK;
}

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  return with(file, [&](DiskState& disk, const OpenFile& open) {
    return disk.read(open, static_cast<char*>(to), static_cast<std::size_t>(size), static_cast<std::size_t>(at));
  });
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  return with(file, [&](DiskState& disk, const OpenFile& open) {
    return disk.write(open, {static_cast<const char*>(from), static_cast<std::size_t>(size)},
                      static_cast<std::size_t>(at));
  });
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return with(
      file, [&](DiskState& disk, const OpenFile& open) { return disk.truncate(open, static_cast<std::size_t>(size)); });
}

int sync(sqlite3_file* file, int) {
  return with(file, [](DiskState& disk, OpenFile& open) { return disk.sync(open); });
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  std::int64_t found = 0;
  const int code = with(file, [&](DiskState& disk, const OpenFile& open) { return disk.size(open, found); });
  *size = found;
  return code;
}

int lock(sqlite3_file* file, int level) {
  return with(file, [&](DiskState& disk, OpenFile& open) { return disk.lock(open, level); });
}

int check_reserved(sqlite3_file* file, int* answer) {
  *answer = with(file, [](DiskState& disk, const OpenFile& open) { return disk.is_reserved(open) ? 1 : 0; });
  return SQLITE_OK;
}

int control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }

// As os_unix.c has both.
int sector_size(sqlite3_file*) { return 4096; }
int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

int map_memory(sqlite3_file* file, int region, int size, int extends, void volatile** to) {
  char* memory = nullptr;
  const int code =
      with(file, [&](DiskState& disk, OpenFile& open) { return disk.map(open, region, size, extends != 0, memory); });
  *to = memory;
  return code;
}

int lock_memory(sqlite3_file* file, int first, int number, int flags) {
  const bool alone = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  return with(file, [&](DiskState& disk, OpenFile& open) {
    if ((flags & SQLITE_SHM_LOCK) != 0) return disk.lock_memory(open, first, number, alone);
    disk.unlock_memory(open, first, number, alone);
    return SQLITE_OK;
  });
}

void barrier(sqlite3_file* file) {
  with(file, [](const DiskState&, const OpenFile&) {});
}

constexpr sqlite3_io_methods methods = {2,
                                        close,
                                        read,
                                        write,
                                        truncate,
                                        sync,
                                        file_size,
                                        lock,
                                        unlock,
                                        check_reserved,
                                        control,
                                        sector_size,
                                        characteristics,
                                        map_memory,
                                        lock_memory,
                                        barrier,
                                        unmap_memory,
                                        nullptr,
                                        nullptr};

int open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  auto* handle = reinterpret_cast<Handle*>(file);
  int code = SQLITE_OK;
  handle->disk = static_cast<DiskState*>(vfs->pAppData);
  handle->open = with(vfs, [&](DiskState& disk) { return disk.open(name, flags, code); }).release();
  handle->head.pMethods = code == SQLITE_OK ? &methods : nullptr;
  if (out_flags != nullptr) *out_flags = flags;
  return code;
}

int remove(sqlite3_vfs* vfs, const char* name, int syncs_folder) {
  return with(vfs, [&](DiskState& disk) { return disk.remove(name, syncs_folder != 0); });
}

// A file without content counts as none, as in os_unix.c.
int access(sqlite3_vfs* vfs, const char* name, int flags, int* answer) {
  return with(vfs, [&](DiskState& disk) { return disk.look(name, flags == SQLITE_ACCESS_EXISTS, *answer); });
}

int full_name(sqlite3_vfs*, const char* name, int size, char* to) {
  sqlite3_snprintf(size, to, "%s", name);
  return SQLITE_OK;
}

int random_bytes(sqlite3_vfs* vfs, int size, char* to) {
  return with(vfs, [&](DiskState& disk) {
    for (int i = 0; i < size; ++i) to[i] = static_cast<char>(disk.chance());
    return size;
  });
}

int no_sleep(sqlite3_vfs*, int microseconds) { return microseconds; }

int last_error(sqlite3_vfs*, int, char*) { return 0; }

std::string new_name() {
  static std::atomic<int> number{0};
  std::string name = "simulated";
  return name.append(std::to_string(++number));
}

}  // namespace

bool is_inside_simulated_disk() { return depth > 0; }

struct SimulatedDisk::Layer {
  explicit Layer(DiskState& state) : name(new_name()), vfs(*sqlite3_vfs_find(nullptr)) {
    vfs.iVersion = 2;
    vfs.szOsFile = sizeof(Handle);
    vfs.pNext = nullptr;
    vfs.zName = name.c_str();
    vfs.pAppData = &state;
    vfs.xOpen = open;
    vfs.xDelete = remove;
    vfs.xAccess = access;
    vfs.xFullPathname = full_name;
    vfs.xRandomness = random_bytes;
    vfs.xSleep = no_sleep;
    vfs.xGetLastError = last_error;
    sqlite3_vfs_register(&vfs, 0);
  }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  ~Layer() { sqlite3_vfs_unregister(&vfs); }

  std::string name;
  sqlite3_vfs vfs;
};

SimulatedDisk::SimulatedDisk() : state_(std::make_unique<DiskState>()), layer_(std::make_unique<Layer>(*state_)) {}
SimulatedDisk::SimulatedDisk(const SimulatedDisk& like)
    : state_(std::make_unique<DiskState>(*like.state_)), layer_(std::make_unique<Layer>(*state_)) {}
SimulatedDisk::~SimulatedDisk() = default;

const std::string& SimulatedDisk::name() const { return layer_->name; }

std::int64_t SimulatedDisk::calls() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->calls;
}

void SimulatedDisk::stop_at(std::int64_t call) {
  const std::scoped_lock lock(state_->mutex);
  state_->stop_at = call;
}

void SimulatedDisk::fail_at(std::int64_t call, Fault fault, std::uint64_t seed) {
  const std::scoped_lock lock(state_->mutex);
  state_->fail_at = call;
  state_->fault = fault;
  state_->has_failed = false;
  state_->chance.seed(seed);
}

bool SimulatedDisk::has_failed() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->has_failed;
}

bool SimulatedDisk::has_failed_to_write() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->has_failed && state_->failed_to_write;
}

void SimulatedDisk::ignore_syncs() {
  const std::scoped_lock lock(state_->mutex);
  state_->ignores_syncs = true;
}

void SimulatedDisk::cut_power(std::uint64_t seed) {
  const std::scoped_lock lock(state_->mutex);
  state_->lose_power(seed);
}

void SimulatedDisk::restart() {
  const std::scoped_lock lock(state_->mutex);
  state_->begin_anew();
}

int SimulatedDisk::open_files() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->open_files;
}

}  // namespace vernier::testing
