#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "core/config/source_map.h"
#include "core/types/setting_error.h"

namespace trestle {

/// Gathers what is wrong with a configuration, so that all of it is told at once.
class Problems {
 public:
  explicit Problems(const SourceMap& where) : where_(where) {}

  /// Runs one part of the set-up and keeps its complaints.
  /// @returns false where it complained
  bool attempt(const std::function<void()>& part);

  bool none() const noexcept { return lines_.empty(); }
  /// One line each on stderr, each once, and how many there are.
  void print() const;

 private:
  const SourceMap& where_;
  std::vector<std::string> lines_;
};

/// Prints the lines of a configuration error, and that nothing was started.
void print_problems(const std::vector<std::string>& lines);

}  // namespace trestle
