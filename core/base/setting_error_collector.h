#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle {

/// Collects problems, so that one error reports all.
class SettingErrorCollector {
 public:
  void add(std::string path, std::string what) {
    problems_.push_back({std::move(path), std::move(what)});
  }
  /// Adds the problems of `error`, with their paths below `path`.
  void add_below(const std::string& path, const SettingError& error) {
    for (const SettingIssue& problem : error.problems())
      add(problem.path.empty() || path.empty() ? path + problem.path
                                               : path + "." + problem.path,
          problem.what);
  }
  bool empty() const noexcept { return problems_.empty(); }

  /// @throws SettingError with all problems, if there are any
  void throw_if_any() {
    if (!problems_.empty()) throw SettingError(std::move(problems_));
  }

  /// Calls `make` with the paths of its SettingErrors put below `path`.
  template <typename Make>
  static auto below(const std::string& path, Make make) {
    try {
      return make();
    } catch (const SettingError& error) {
      SettingErrorCollector problems;
      problems.add_below(path, error);
      throw SettingError(std::move(problems.problems_));
    }
  }

 private:
  std::vector<SettingIssue> problems_;
};

}  // namespace trestle
