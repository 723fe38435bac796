#include "core/journal/file_link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>

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
  if (deleted()) throw std::runtime_error(sentence());
}

std::string FileLink::sentence() const {
  return "the record " + path_ + " was deleted while it was written; process " +
         std::to_string(::getpid()) +
         " has its content as long as it runs, and writes it there again at the end of "
         "the test or of the process (SIGTERM; kill -9 loses it)";
}

}  // namespace trestle::journal
