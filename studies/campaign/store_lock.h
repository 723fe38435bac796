#pragma once

#include <string>

namespace trestle::campaign {

/// Who writes a store, in a file beside it: for the sentence that another program gets, and
/// for file systems on which the kernel keeps no locks. There SQLite locks by a folder,
/// which a killed program leaves behind; it is taken over only where its owner is known to
/// be dead.
class StoreLock {
 public:
  enum class Method {
    kKernel,  ///< fcntl: given back when the process ends, however it ends
    kFolder,  ///< SQLite's `unix-dotfile`
  };

  /// A process, as its file tells it.
  struct Owner {
    std::string host;
    std::string machine;  ///< of the host; two may have one name
    std::string boot;     ///< of the machine, since when its process numbers count
    std::string space;    ///< of process numbers: containers have their own
    long process = 0;
    std::string started;  ///< of the process, as the kernel counts
    std::string job;      ///< of Slurm; empty: none
    int restart = 0;      ///< how often Slurm has started the job again

    static Owner here();
  };

  /// Finds out how this file system locks, and takes over what a dead owner has left.
  /// @throws std::runtime_error where the owner may be alive: who, where, what to do
  explicit StoreLock(std::string store) : StoreLock(std::move(store), Owner::here()) {}
  /// @param me     this process, or another one in a test
  StoreLock(std::string store, Owner me);
  StoreLock(std::string store, Owner me, Method method);
  /// Takes the owner's file away: the store was closed in order.
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  /// For SQLite; empty: its usual one.
  std::string vfs() const;
  /// SQLite has the lock: writes who has it now.
  void take();
  /// ` by process 17 on node3`; empty: it is not known.
  std::string owner_text() const;

 private:
  std::string owner_file() const { return store_ + ".owner"; }
  std::string lock_folder() const { return store_ + ".lock"; }
  [[noreturn]] void refuse() const;

  std::string store_;
  Owner me_;
  Method method_;
  bool taken_ = false;
};

}  // namespace trestle::campaign
