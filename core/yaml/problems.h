#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/yaml/mark.h"

namespace trestle::yaml {

/// A file, or one override.
struct Source {
  std::string name;                 ///< the file as the user gave it, or `--set path`
  std::filesystem::path directory;  ///< absolute; paths in this source are relative to it
};

/// Collects what is wrong, so that all is told at once.
class Problems {
 public:
  /// @returns the index for marks of this source
  std::size_t add_source(Source source);
  const std::vector<Source>& sources() const { return sources_; }

  void add(Mark mark, std::string what);
  bool empty() const { return problems_.empty(); }

  /// Throws ConfigError with all lines in file order, each once, if there are any.
  void throw_if_any();

 private:
  std::vector<Source> sources_;
  std::vector<std::pair<Mark, std::string>> problems_;
};

/// `file:line:col`, or the source's name alone where there is no line.
std::string place(const std::string& source, int line, int column);

}  // namespace trestle::yaml
