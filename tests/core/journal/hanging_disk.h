#pragma once

#include <sqlite3.h>

#include <condition_variable>
#include <map>
#include <mutex>

namespace trestle::testing {

/// A file system whose syncs do not return while it hangs: SQLite's default one, with one
/// call replaced. For the life of this object; one at a time.
class HangingDisk {
 public:
  HangingDisk() {
    inner_ = sqlite3_vfs_find(nullptr);
    vfs_ = *inner_;
    vfs_.zName = "hanging-disk";
    vfs_.xOpen = open;
    that_ = this;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~HangingDisk() {
    return_again();
    sqlite3_vfs_register(inner_, 1);
    sqlite3_vfs_unregister(&vfs_);
    that_ = nullptr;
  }
  HangingDisk(const HangingDisk&) = delete;
  HangingDisk& operator=(const HangingDisk&) = delete;

  void hang() {
    const std::lock_guard lock(mutex_);
    hangs_ = true;
  }
  void return_again() {
    const std::lock_guard lock(mutex_);
    hangs_ = false;
    returns_.notify_all();
  }
  /// Syncs that SQLite has asked for.
  int syncs() {
    const std::lock_guard lock(mutex_);
    return syncs_;
  }

 private:
  static int open(sqlite3_vfs* /*vfs*/, sqlite3_filename name, sqlite3_file* file,
                  int flags, int* out) {
    const int code = that_->inner_->xOpen(that_->inner_, name, file, flags, out);
    if (code == SQLITE_OK && file->pMethods != nullptr)
      file->pMethods = that_->with_our_sync(file->pMethods);
    return code;
  }
  /// The default file system has one table of calls for databases, another for logs, and
  /// one function that syncs.
  const sqlite3_io_methods* with_our_sync(const sqlite3_io_methods* calls) {
    const std::lock_guard lock(mutex_);
    const auto [made, fresh] = calls_.try_emplace(calls, *calls);
    if (fresh) {
      sync_ = calls->xSync;
      made->second.xSync = sync;
    }
    return &made->second;
  }
  static int sync(sqlite3_file* file, int flags) {
    {
      std::unique_lock lock(that_->mutex_);
      ++that_->syncs_;
      that_->returns_.wait(lock, [] { return !that_->hangs_; });
    }
    return that_->sync_(file, flags);
  }

  static inline HangingDisk* that_ = nullptr;
  sqlite3_vfs* inner_ = nullptr;
  sqlite3_vfs vfs_{};
  std::map<const sqlite3_io_methods*, sqlite3_io_methods> calls_;
  int (*sync_)(sqlite3_file*, int) = nullptr;
  std::mutex mutex_;
  std::condition_variable returns_;
  bool hangs_ = false;
  int syncs_ = 0;
};

}  // namespace trestle::testing
