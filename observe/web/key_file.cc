#include "observe/web/key_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/base/lasting_file.h"
#include "core/base/sha256.h"

namespace trestle::web {
namespace {

constexpr std::string_view kHead =
    "# Who may look at the pages of this host: role, end (UTC, s; 0: none), digest, "
    "person.\n"
    "# trestle watch-key writes it.\n";

bool is_digest(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// @returns false: it is no line of a key
bool read_key(const std::string& line, AccessKey& key) {
  std::istringstream words(line);
  std::string role;
  if (!(words >> role >> key.expires >> key.digest) || key.expires < 0) return false;
  std::getline(words >> std::ws, key.person);
  if (role == name(Role::kOperator))
    key.role = Role::kOperator;
  else if (role != name(Role::kViewer))
    return false;
  return is_digest(key.digest) && !key.person.empty();
}

}  // namespace

KeyFile::Version KeyFile::version() const noexcept {
  struct stat facts {};
  if (stat(path_.c_str(), &facts) != 0) return {};
  return {facts.st_ino, facts.st_size,
          std::int64_t{facts.st_ctim.tv_sec} * 1'000'000'000 + facts.st_ctim.tv_nsec};
}

bool KeyFile::changed() const noexcept {
  return version() != read_;
}

std::vector<AccessKey> KeyFile::read() {
  read_ = version();
  std::vector<AccessKey> keys;
  struct stat facts {};
  if (stat(path_.c_str(), &facts) != 0) return keys;
  if ((facts.st_mode & 077U) != 0)
    throw std::runtime_error(path_ + ": others may read or write it; do chmod 600 " +
                             path_);
  std::ifstream file(path_);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    AccessKey key;
    if (!read_key(line, key))
      throw std::runtime_error(path_ + ":" + std::to_string(number) +
                               ": is no key; take the line out, and make a new key by "
                               "trestle watch-key add NAME");
    keys.push_back(std::move(key));
  }
  if (file.bad()) throw std::runtime_error(path_ + ": cannot be read");
  return keys;
}

void KeyFile::write(const std::vector<AccessKey>& keys) const {
  std::string text(kHead);
  for (const AccessKey& key : keys)
    text += std::string(name(key.role)) + " " + std::to_string(key.expires) + " " +
            key.digest + " " + key.person + "\n";
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  if (!folder.empty()) make_folders(folder);
  keep_file(path_, text, 0600);
}

std::string KeyFile::add(const std::string& person, Role role, std::int64_t expires) {
  std::vector<AccessKey> keys = read();
  std::erase_if(keys, [&person](const AccessKey& key) { return key.person == person; });
  std::string token = new_token();
  keys.push_back({person, role, sha256(token), expires});
  write(keys);
  return token;
}

bool KeyFile::remove(const std::string& person) {
  std::vector<AccessKey> keys = read();
  if (std::erase_if(keys,
                    [&person](const AccessKey& key) { return key.person == person; }) == 0)
    return false;
  write(keys);
  return true;
}

}  // namespace trestle::web
