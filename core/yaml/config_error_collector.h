#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/yaml/source_map.h"

namespace trestle::yaml {

/// Collects the problems of a configuration, so that one error reports all.
class ConfigErrorCollector {
 public:
  explicit ConfigErrorCollector(const SourceMap& where) : where_(where) {}

  /// Runs one part of the set-up and keeps its complaints.
  /// @returns false if it complained
  bool attempt(const std::function<void()>& part);

  /// @throws ConfigError with all complaints, each once, where there are any
  void throw_if_any() const;

 private:
  const SourceMap& where_;
  std::vector<std::string> lines_;
};

}  // namespace trestle::yaml
