#include "core/yaml/config_error_collector.h"

#include <algorithm>

#include "core/base/setting_error.h"
#include "core/yaml/config_error.h"

namespace trestle::yaml {

bool ConfigErrorCollector::attempt(const std::function<void()>& part) {
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

void ConfigErrorCollector::throw_if_any() const {
  if (!lines_.empty()) throw ConfigError(lines_);
}

}  // namespace trestle::yaml
