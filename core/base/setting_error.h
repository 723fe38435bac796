#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trestle {

/// A setting that cannot work, by the dotted path of its field in the configuration:
/// `numerical.frame.members[2].section`. The path becomes file:line:col in `main`.
struct SettingIssue {
  std::string path;
  std::string what;  ///< the mistake, and a valid value
};

/// Thrown during set-up only. Contains every problem found, so that one message reports
/// all.
class SettingError : public std::runtime_error {
 public:
  SettingError(std::string path, std::string what)
      : SettingError({SettingIssue{std::move(path), std::move(what)}}) {}

  /// @pre !problems.empty()
  explicit SettingError(std::vector<SettingIssue> problems)
      : std::runtime_error(problems.front().path + ": " + problems.front().what),
        problems_(std::move(problems)) {}

  const std::vector<SettingIssue>& problems() const noexcept { return problems_; }

 private:
  std::vector<SettingIssue> problems_;
};

}  // namespace trestle
