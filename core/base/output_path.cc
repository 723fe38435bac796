#include "core/base/output_path.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/base/journal_names.h"
#include "core/base/replaceable.h"

namespace trestle {

std::string draft_path(const std::string& path) {
  return path + ".part-" + std::to_string(::getpid());
}

void require_plain_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw std::runtime_error(cannot_write(path, EISDIR));
  require_replaceable(path);
  require_no_part_of_a_run(path);
}

void require_no_part_of_a_run(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::path(path).parent_path();
  const std::string name = fs::path(path).filename();
  if (is_database(path) || ((name == "effective.yaml" || name == "summary.json") &&
                            fs::exists(folder / kIntegratorJournal, ignored)))
    throw std::runtime_error("cannot write " + path +
                             ": it is part of a run's record, which is never written over; "
                             "name another place");
}

std::string cannot_write(const std::string& path, int error) {
  const std::string start = "cannot write " + path + ": ";
  switch (error) {
    case 0:
      return start + "two of its channels have the same name, or one that HDF5 cannot have";
    case ENOSPC:
    case EDQUOT:
      return start + "the disk is full; free space on it, or name another place";
    case EFBIG:
      return start + "it would be larger than a file may be here; name another place";
    case ENOENT:
      return start + "its folder does not exist";
    case EACCES:
    case EPERM:
    case EROFS:
      return start + "no permission; name another place";
    case EISDIR:
      return start + "it is a folder; name a file";
    default:
      return start + std::generic_category().message(error);
  }
}

}  // namespace trestle
