#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace trestle {

/// A file that appears under its name only when it is complete: written beside it first,
/// then renamed. An error before keep() leaves no draft and keeps an older file of that
/// name. A device, or a pipe that a process reads, is written directly.
class AtomicFile {
 public:
  /// @param path  "-": standard output
  /// @throws std::runtime_error if it cannot be written
  explicit AtomicFile(std::string path);
  ~AtomicFile();

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// @throws std::runtime_error if the disk is full or does not answer
  void write(std::string_view text);

  /// The file is complete.
  /// @throws std::runtime_error if it is not, after all
  void keep();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept;
  };

  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string temporary_;  // empty: written straight
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace trestle
