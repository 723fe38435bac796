#include "core/journal/file_link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

#include "core/base/lost_record.h"

namespace trestle::journal {

// A descriptor of another kind would take SQLite's locks away where it is closed.
FileLink::FileLink(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {
  // Some file systems count no links.
  counts_ = links() > 0;
}

FileLink::~FileLink() {
  if (file_ >= 0) ::close(file_);
}

long FileLink::links() const noexcept {
  struct stat status {};
  return file_ < 0 || ::fstat(file_, &status) != 0 ? -1
                                                   : static_cast<long>(status.st_nlink);
}

void FileLink::require() const {
  if (!deleted()) return;
  const std::string process = std::to_string(::getpid());
  throw std::runtime_error(
      "copy the record " + path_ + ", its -wal and its .ring from /proc/" + process +
      "/fd before process " + process + " is ended: it " + std::string(kDeletedRecord));
}

}  // namespace trestle::journal
