#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/nearest_name.h"
#include "core/base/setting_error_collector.h"

namespace trestle::composition {

/// Places of things by their names.
class NamePlaces {
 public:
  explicit NamePlaces(const char* what) : what_(what) {}

  /// @returns false where the name is known already
  bool add(const std::string& name) {
    const bool fresh = places_.emplace(name, static_cast<int>(names_.size())).second;
    names_.push_back(name);
    return fresh;
  }

  bool known(const std::string& name) const { return places_.contains(name); }

  int find(const std::string& name, const std::string& path,
           SettingErrorCollector& problems) const {
    const auto found = places_.find(name);
    if (found != places_.end()) return found->second;
    problems.add(
        path, std::string("unknown ") + what_ + " `" + name + "`" + suggest(name, names_));
    return -1;
  }

 private:
  const char* what_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> places_;
};

}  // namespace trestle::composition
