#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/yaml/source_position.h"

namespace trestle::yaml {

/// A file, or one override.
struct ConfigSource {
  std::string name;                 ///< the file as the user gave it, or `--set path`
  std::filesystem::path directory;  ///< absolute; paths in this source are relative to it
};

/// Collects problems, so that one error reports all.
class Diagnostics {
 public:
  /// @returns the index for marks of this source
  std::size_t add_source(ConfigSource source);
  const std::vector<ConfigSource>& sources() const { return sources_; }

  void add(SourcePosition mark, std::string what);
  bool empty() const { return problems_.empty(); }

  /// Throws ConfigError with all lines in file order, each once, if there are any.
  void throw_if_any();

 private:
  std::vector<ConfigSource> sources_;
  std::vector<std::pair<SourcePosition, std::string>> problems_;
};

/// `file:line:col`, or the source's name alone without a line.
std::string place(const std::string& source, int line, int column);

}  // namespace trestle::yaml
