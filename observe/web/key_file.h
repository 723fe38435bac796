#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "observe/web/access.h"

namespace trestle::web {

/// The persons who may look at pages of this host: a file of mode 0600 with one line for
/// each, and of each token only its digest. Somebody who reads it cannot log in by it.
///
/// Thread: one at a time. All but changed() throw std::runtime_error with one sentence.
class KeyFile {
 public:
  explicit KeyFile(std::string path) : path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }

  /// All keys, those that have expired, too; none where there is no file.
  std::vector<AccessKey> read();
  /// Whether the file is another one than at the last read().
  bool changed() const noexcept;

  /// Adds a person, or gives him a new token in place of the old one.
  /// @param expires  UTC [s]; 0: never
  /// @returns the token, which is kept nowhere
  std::string add(const std::string& person, Role role, std::int64_t expires);
  /// @returns false: the file has no such person
  bool remove(const std::string& person);

 private:
  /// Which content a file has, as far as the kernel tells.
  struct Version {
    ino_t file = 0;
    off_t size = -1;
    std::int64_t changed_ns = 0;

    bool operator==(const Version&) const = default;
  };

  Version version() const noexcept;
  void write(const std::vector<AccessKey>& keys) const;

  std::string path_;
  Version read_;
};

}  // namespace trestle::web
