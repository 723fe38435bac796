#include "core/base/replaceable.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace trestle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDatabase("SQLite format 3");
constexpr const char* kNamesOfARecord[] = {".db", ".db-wal", ".db-shm", ".db-journal",
                                           ".ring"};

}  // namespace

bool is_database(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return false;
  if (std::ranges::any_of(kNamesOfARecord,
                          [&](const char* end) { return path.ends_with(end); }))
    return true;
  std::array<char, kDatabase.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kDatabase;
}

void require_replaceable(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  // A rename would put the file in the place of a link to a folder.
  if (fs::is_directory(status))
    throw std::runtime_error("cannot write " + path + ": it is a folder; name a file");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw std::runtime_error("cannot write " + path +
                             ": it is a device, a pipe or a socket, and no plain file; "
                             "name another place");
  if (is_database(path))
    throw std::runtime_error("cannot write " + path +
                             ": it is a record, which is never written over; name another "
                             "place");
}

}  // namespace trestle
