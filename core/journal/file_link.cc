#include "core/journal/file_link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

namespace trestle::journal {

// A descriptor of another kind would take SQLite's locks away where it is closed.
FileLink::FileLink(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_PATH | O_CLOEXEC)) {}

FileLink::~FileLink() {
  if (file_ >= 0) ::close(file_);
}

void FileLink::require() const {
  struct stat status {};
  if (file_ < 0 || ::fstat(file_, &status) != 0 || status.st_nlink > 0) return;
  const std::string process = std::to_string(::getpid());
  throw std::runtime_error("the record " + path_ +
                           " was deleted while it was written; its content is in /proc/" +
                           process + "/fd as long as process " + process +
                           " runs: copy it and its -wal from there before anything is "
                           "ended");
}

}  // namespace trestle::journal
