#pragma once

#include <cstdint>
#include <string>

#include "core/base/file_descriptor.h"

namespace trestle::simulated {

/// What one port of a shared specimen is driven by, tick by tick: a mapped file, which one
/// site writes and the others read.
class DriveFile final {
 public:
  /// Ticks that are kept.
  static constexpr std::int64_t kKept = 64;

  /// Makes the file where it is not there. One that no site writes is emptied: what is
  /// in it is of an earlier test.
  /// @param own  locks it for this object; waits up to 0.2 s for a site that looks at it
  /// @throws std::runtime_error  it cannot be made, or is `own` and another one writes it
  DriveFile(const std::string& path, bool own);
  ~DriveFile();
  DriveFile(const DriveFile&) = delete;
  DriveFile& operator=(const DriveFile&) = delete;

  /// From this tick on; between two of them a drive stays.
  void write(std::int64_t tick, double drive) noexcept;

  /// The last tick that was written; negative: none.
  std::int64_t newest() const noexcept;

  /// The drive of this tick, or the last one before it; 0: none.
  double read(std::int64_t tick) const noexcept;

  /// @returns false: it was not written up to this tick within that time
  bool wait_for(std::int64_t tick, int at_most_ms) const noexcept;

 private:
  struct Rows;

  FileDescriptor file_;
  Rows* rows_ = nullptr;
};

}  // namespace trestle::simulated
