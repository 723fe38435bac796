#pragma once

#include <string>

#include "proto/config/test.pb.h"

namespace trestle::testing {

/// A test as it would be read from a file.
/// @returns empty, and a test failure, where it cannot be
config::Test test_of(const std::string& yaml);

/// A temporary file, which exists as long as this object.
class TextFile {
 public:
  explicit TextFile(const std::string& text);
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile();

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A ground motion of one sample: `acceleration` at the first step [m/s²].
std::string pulse(double time_step, double acceleration, double duration);

}  // namespace trestle::testing
