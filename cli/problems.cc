#include "cli/problems.h"

#include <algorithm>
#include <cstdio>

namespace trestle {

bool Problems::attempt(const std::function<void()>& part) {
  try {
    part();
    return true;
  } catch (const SettingError& error) {
    for (const std::string& line : where_.explain(error))
      if (std::find(lines_.begin(), lines_.end(), line) == lines_.end())
        lines_.push_back(line);
    return false;
  }
}

void Problems::print() const {
  print_problems(lines_);
}

void print_problems(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
  if (lines.size() > 1)
    std::fprintf(stderr, "%zu errors; nothing was started.\n", lines.size());
}

}  // namespace trestle
