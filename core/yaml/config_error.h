#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trestle::yaml {

/// Everything that is wrong with a configuration, in file order: one line per problem,
/// `file:line:col: what; what would be right`, ready to print. what() joins them.
class ConfigError : public std::runtime_error {
 public:
  /// @pre !lines.empty()
  explicit ConfigError(std::vector<std::string> lines)
      : std::runtime_error(joined(lines)), lines_(std::move(lines)) {}

  const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
  }

  std::vector<std::string> lines_;
};

}  // namespace trestle::yaml
