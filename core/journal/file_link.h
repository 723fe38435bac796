#pragma once

#include <string>

namespace trestle::journal {

/// Tells whether a file that is open was deleted: writing it succeeds all the same, and all
/// is lost when it is closed. A file whose folder was renamed is still there.
class FileLink {
 public:
  /// A file that cannot be looked at is taken for one that is there.
  explicit FileLink(const std::string& path);
  ~FileLink();
  FileLink(const FileLink&) = delete;
  FileLink& operator=(const FileLink&) = delete;

  /// One system call.
  bool deleted() const noexcept { return counts_ && links() == 0; }
  /// The same.
  /// @throws std::runtime_error if the file was deleted: where its content still is
  void require() const;
  /// Where the content of a deleted record is, and what brings it back.
  std::string sentence() const;

 private:
  long links() const noexcept;

  std::string path_;
  int file_;
  bool counts_ = false;
};

}  // namespace trestle::journal
