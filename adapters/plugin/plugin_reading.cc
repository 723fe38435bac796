#include "adapters/plugin/plugin_reading.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trestle::plugin {
namespace {

// A number that no plug-in writes by chance, several times: one index too far is what
// happens, and a whole struct too far.
constexpr std::uint64_t kGuardBits = 0x7ff4'7e57'1e6a'4d5bULL;
constexpr std::size_t kGuards = 8;

bool is_guard(double number) noexcept {
  return std::bit_cast<std::uint64_t>(number) == kGuardBits;
}

}  // namespace

PluginReading::PluginReading(const trestle_rig_capabilities& capabilities)
    : actuators_(capabilities.actuators), reactions_(capabilities.reactions) {
  // Allocates all arrays together: pointers into them stay valid.
  numbers_.reserve(4 * (actuators_ + kGuards) + reactions_ + kGuards +
                   capabilities.auxiliary_channels + kGuards);
  sensed_.size = sizeof(sensed_);
  sensed_.displacement = add("displacement", actuators_, true);
  sensed_.force = add("force", actuators_, true);
  sensed_.reaction = add("reaction", reactions_, reactions_ > 0);
  sensed_.velocity = add("velocity", actuators_, capabilities.measures_velocity != 0);
  sensed_.acceleration =
      add("acceleration", actuators_, capabilities.measures_acceleration != 0);
  sensed_.auxiliary = add("auxiliary", capabilities.auxiliary_channels,
                          capabilities.auxiliary_channels > 0);
}

double* PluginReading::add(const char* name, std::uint32_t count, bool there) {
  if (!there) return nullptr;
  const std::size_t first = numbers_.size();
  arrays_.push_back({name, first, count});
  numbers_.resize(first + count, 0.0);
  numbers_.resize(numbers_.size() + kGuards, std::bit_cast<double>(kGuardBits));
  return numbers_.data() + first;
}

trestle_sensed& PluginReading::clear() noexcept {
  for (const Array& array : arrays_)
    std::fill_n(numbers_.begin() + static_cast<std::ptrdiff_t>(array.first), array.count,
                std::numeric_limits<double>::quiet_NaN());
  return sensed_;
}

const char* PluginReading::find_buffer_overrun() const noexcept {
  for (const Array& array : arrays_)
    for (std::size_t i = 0; i < kGuards; ++i)
      if (!is_guard(numbers_[array.first + array.count + i])) return array.name;
  return nullptr;
}

PluginReading::Place PluginReading::find_non_finite() const noexcept {
  for (const Array& array : arrays_)
    for (std::size_t i = 0; i < array.count; ++i)
      if (!std::isfinite(numbers_[array.first + i]))
        return {array.name, static_cast<int>(i)};
  return {};
}

void PluginReading::copy_to(Measurement& sensed) const noexcept {
  using Numbers = Eigen::Map<const Eigen::VectorXd>;
  sensed.displacement = Numbers(sensed_.displacement, actuators_);
  sensed.force = Numbers(sensed_.force, actuators_);
  if (reactions_ > 0) sensed.force_only = Numbers(sensed_.reaction, reactions_);
}

void PluginReading::copy_extra(std::vector<double>& extra) const noexcept {
  auto to = extra.begin();
  for (const double* array : {sensed_.velocity, sensed_.acceleration, sensed_.auxiliary})
    for (const Array& each : arrays_)
      if (array == numbers_.data() + each.first) to = std::copy_n(array, each.count, to);
}

}  // namespace trestle::plugin
