#include "composition/sites/startup_checks_factory.h"

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

template <typename List>
std::vector<double> one_each(const List& given, int actuators, const std::string& path) {
  if (given.size() == 1)
    return std::vector<double>(static_cast<std::size_t>(actuators), given[0]);
  if (!given.empty() && given.size() != actuators)
    throw SettingError(path, std::to_string(given.size()) + " entries for " +
                                 std::to_string(actuators) +
                                 " actuators; give one for all or one each");
  return {given.begin(), given.end()};
}

}  // namespace

checks::StartCheckSettings make_start_checks(const config::StartChecks& message,
                                             int actuators, const std::string& path) {
  return {
      one_each(message.zero_displacement(), actuators, path + ".zero_displacement"),
      one_each(message.zero_force(), actuators, path + ".zero_force"),
      one_each(message.polarity_motion(), actuators, path + ".polarity_motion"),
  };
}

}  // namespace trestle::composition
