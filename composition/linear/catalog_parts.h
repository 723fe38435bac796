#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/setting_error.h"

namespace trestle::composition {

/// The common functions of the catalogues in this folder.

/// Makes an object whose errors name a field below `path`.
template <typename Port, typename Object, typename Settings>
std::unique_ptr<Port> make_below(int actuators, const Settings& settings,
                                 const std::string& path) {
  try {
    return std::make_unique<Object>(actuators, settings);
  } catch (const SettingError& error) {
    std::vector<SettingIssue> problems = error.problems();
    for (SettingIssue& problem : problems) problem.path = path + "." + problem.path;
    throw SettingError(std::move(problems));
  }
}

/// A message from its bytes, as they came with Configure.
template <typename Message>
Message parsed(std::string_view bytes, const std::string& path) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw SettingError(path, "the " + std::to_string(bytes.size()) + " bytes are no " +
                                 message.GetTypeName() +
                                 "; both ends need the same major version");
  return message;
}

}  // namespace trestle::composition
