#include "core/base/set_aside.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/base/lasting_file.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

/// Makes a folder that did not exist, even if other processes make folders at the same
/// time.
std::string make_numbered_folder(const std::string& folder) {
  for (int number = 1;; ++number) {
    std::string made = folder + "/" + std::string(kSetAside) + std::to_string(number);
    if (::mkdir(made.c_str(), 0777) == 0) {
      sync_folder(folder);
      return made;
    }
    if (errno != EEXIST)
      throw std::runtime_error(made + ": cannot be made (" +
                               std::generic_category().message(errno) +
                               "); check the permissions of its folder, and the disk");
  }
}

}  // namespace

std::string set_aside(const std::string& folder, const std::vector<std::string>& names) {
  std::vector<std::string> there;
  std::error_code none;
  for (const std::string& name : names)
    if (fs::exists(fs::symlink_status(folder + "/" + name, none))) there.push_back(name);
  if (there.empty()) return {};
  std::string aside = make_numbered_folder(folder);
  for (const std::string& name : there) move_file(folder + "/" + name, aside + "/" + name);
  return aside;
}

bool is_set_aside(std::string_view name) {
  if (!name.starts_with(kSetAside)) return false;
  name.remove_prefix(kSetAside.size());
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return letter >= '0' && letter <= '9';
  });
}

}  // namespace trestle
