#pragma once

#include <string>
#include <vector>

namespace trestle::yaml {

/// A change to a file as if the file contained it: `path=value`, by the rules of read_yaml.
struct Override {
  std::string text;
  std::string directory;  ///< paths in the value are relative to it; absolute
  std::string origin;     ///< how errors call it: `--set`
};

/// Parses overrides of the command line: their paths are relative to the working directory.
std::vector<Override> parse_command_line_overrides(const std::vector<std::string>& texts);

}  // namespace trestle::yaml
