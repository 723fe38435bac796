#include "composition/numerical/imposed_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "numerical/excitation/support_history.h"
#include "proto/config/excitation.pb.h"

namespace trestle::composition {
namespace {

const char* written(config::Direction direction) {
  constexpr std::array<const char*, 6> kWords{"x", "y", "z", "rx", "ry", "rz"};
  return kWords[static_cast<std::size_t>(direction)];
}

/// Of the file's numbers, where the setting states none: a file of rotations has no unit of
/// its own.
double usual_unit(config::Direction direction) {
  const bool turns =
      direction == config::RX || direction == config::RY || direction == config::RZ;
  return turns ? 1.0 : 0.0;
}

double peak_of(const excitation::GroundMotion& motion) {
  double peak = 0.0;
  for (const double a : motion.acceleration) peak = std::max(peak, std::abs(a));
  return peak;
}

ImposedMotion of_ground(const config::BaseMotion& motion, const std::string& path) {
  return {.path = path,
          .record = motion.record(),
          .direction = written(motion.direction()),
          .angle = motion.angle(),
          .dofs = {},
          .displaced = false,
          .peak = peak_of(read_base_motion(motion, path))};
}

ImposedMotion of_supports(const config::SupportMotion& motion, const std::string& path) {
  ImposedMotion found{
      .path = path,
      .record = motion.motion().file(),
      .direction = written(motion.dof()),
      .angle = 0.0,
      .dofs = {},
      .displaced = motion.motion().quantity() == config::SUPPORT_QUANTITY_DISPLACEMENT,
      .peak = 0.0};
  for (const std::string& node : motion.nodes())
    found.dofs.push_back(node + "." + found.direction);
  const double scale = motion.has_scale() ? motion.scale() : 1.0;
  found.peak = found.displaced ? excitation::read_support_displacements(
                                     found.record, scale, path + ".motion.file")
                                     .peak_displacement()
                               : peak_of(read_support_motion(motion, path));
  return found;
}

}  // namespace

std::vector<ImposedMotion> imposed_motions(const config::Excitation& excitation,
                                           const std::string& path) {
  const auto at = [&path](const char* list, int i) {
    return path + "." + list + "[" + std::to_string(i) + "]";
  };
  std::vector<ImposedMotion> found;
  for (int i = 0; i < excitation.motions_size(); ++i)
    found.push_back(of_ground(excitation.motions(i), at("motions", i)));
  for (int i = 0; i < excitation.supports_size(); ++i)
    found.push_back(of_supports(excitation.supports(i), at("supports", i)));
  return found;
}

excitation::GroundMotion read_base_motion(const config::BaseMotion& motion,
                                          const std::string& path) {
  return excitation::read_ground_motion(
      motion.record(), motion.has_unit() ? motion.unit() : usual_unit(motion.direction()),
      motion.has_scale() ? motion.scale() : 1.0, path + ".record");
}

excitation::GroundMotion read_support_motion(const config::SupportMotion& motion,
                                             const std::string& path) {
  const config::SupportHistory& given = motion.motion();
  return excitation::read_ground_motion(
      given.file(), given.has_unit() ? given.unit() : usual_unit(motion.dof()),
      motion.has_scale() ? motion.scale() : 1.0, path + ".motion.file");
}

}  // namespace trestle::composition
