#include "ledger/killing_vfs.hpp"

#include <atomic>

#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

namespace vernier::testing {
namespace {

std::atomic<std::int64_t> calls{0};
std::atomic<std::int64_t> last_call{0};
std::atomic<Moment> chosen_moment{Moment::before};

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

bool is_last() { return ++calls == last_call; }

void count() {
  if (is_last()) die();
}

sqlite3_vfs* usual() { return sqlite3_vfs_find("unix"); }

// What SQLite holds of an open file; the usual layer's own follows it in memory.
struct KillingFile {
  sqlite3_file head;
  sqlite3_file* real;
};

sqlite3_file* real(sqlite3_file* file) { return reinterpret_cast<KillingFile*>(file)->real; }
const sqlite3_io_methods& methods(sqlite3_file* file) { return *real(file)->pMethods; }

int close(sqlite3_file* file) { return methods(file).xClose(real(file)); }

int read(sqlite3_file* file, void* to, int size, sqlite3_int64 at) {
  count();
  return methods(file).xRead(real(file), to, size, at);
}

int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 at) {
  if (is_last()) {
    if (chosen_moment == Moment::halfway) methods(file).xWrite(real(file), from, size / 2, at);
    die();
  }
  return methods(file).xWrite(real(file), from, size, at);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  count();
  return methods(file).xTruncate(real(file), size);
}

int sync(sqlite3_file* file, int flags) {
  count();
  return methods(file).xSync(real(file), flags);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  count();
  return methods(file).xFileSize(real(file), size);
}

int lock(sqlite3_file* file, int level) {
  count();
  return methods(file).xLock(real(file), level);
}

int unlock(sqlite3_file* file, int level) { return methods(file).xUnlock(real(file), level); }

int check_reserved(sqlite3_file* file, int* answer) { return methods(file).xCheckReservedLock(real(file), answer); }

int control(sqlite3_file* file, int op, void* argument) { return methods(file).xFileControl(real(file), op, argument); }

int sector_size(sqlite3_file* file) { return methods(file).xSectorSize(real(file)); }

int characteristics(sqlite3_file* file) { return methods(file).xDeviceCharacteristics(real(file)); }

int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** to) {
  count();
  return methods(file).xShmMap(real(file), region, size, extend, to);
}

int lock_shared(sqlite3_file* file, int first, int number, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0) count();
  return methods(file).xShmLock(real(file), first, number, flags);
}

void barrier(sqlite3_file* file) { methods(file).xShmBarrier(real(file)); }

int unmap_shared(sqlite3_file* file, int remove) { return methods(file).xShmUnmap(real(file), remove); }

// Version 2: without memory mapping, so that every byte passes here.
constexpr sqlite3_io_methods killing_methods = {2,
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
                                                map_shared,
                                                lock_shared,
                                                barrier,
                                                unmap_shared,
                                                nullptr,
                                                nullptr};

int open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  count();
  auto* killing = reinterpret_cast<KillingFile*>(file);
  killing->real = reinterpret_cast<sqlite3_file*>(killing + 1);
  const int answer = usual()->xOpen(usual(), name, killing->real, flags, out_flags);
  killing->head.pMethods = answer == SQLITE_OK ? &killing_methods : nullptr;
  return answer;
}

int remove(sqlite3_vfs*, const char* name, int sync_folder) {
  count();
  return usual()->xDelete(usual(), name, sync_folder);
}

int access(sqlite3_vfs*, const char* name, int flags, int* answer) {
  count();
  return usual()->xAccess(usual(), name, flags, answer);
}

// All that is not about files stays as it is in the usual layer.
sqlite3_vfs killing_vfs() {
  sqlite3_vfs vfs = *usual();
  vfs.szOsFile += static_cast<int>(sizeof(KillingFile));
  vfs.pNext = nullptr;
  vfs.zName = "killing";
  vfs.xOpen = open;
  vfs.xDelete = remove;
  vfs.xAccess = access;
  return vfs;
}

}  // namespace

std::string install_killing_vfs() {
  sqlite3_initialize();
  static sqlite3_vfs vfs = killing_vfs();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : "";
}

void kill_at(std::int64_t call, Moment moment) {
  calls = 0;
  chosen_moment = moment;
  last_call = call;
}

std::int64_t calls_so_far() { return calls; }

}  // namespace vernier::testing
