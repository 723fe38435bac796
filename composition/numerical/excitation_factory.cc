#include "composition/numerical/excitation_factory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "composition/numerical/imposed_motion.h"
#include "composition/numerical/load_factory.h"
#include "composition/numerical/support_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/excitation/synthetic_ground_motion.h"
#include "proto/config/excitation.pb.h"

namespace trestle::composition {
namespace {

constexpr double kLongestSynthetic = 86400.0;  // [s]

excitation::GroundMotion make_synthetic(const config::Excitation& config,
                                        std::uint64_t seed, const std::string& path) {
  const config::Synthetic& synthetic = config.synthetic();
  excitation::SyntheticSettings settings;
  settings.seed = synthetic.has_seed() ? synthetic.seed() : seed;
  if (synthetic.has_duration()) settings.duration = synthetic.duration();
  if (settings.duration > kLongestSynthetic)
    throw SettingError(path + ".synthetic.duration",
                       "the record is longer than a day; must be at most 86400 s");
  if (synthetic.has_peak()) settings.peak = synthetic.peak();
  if (synthetic.has_ground_frequency())
    settings.ground_frequency = synthetic.ground_frequency();
  if (synthetic.has_ground_damping()) settings.ground_damping = synthetic.ground_damping();
  try {
    excitation::GroundMotion motion = excitation::synthetic_record(settings);
    const double scale = config.has_scale() ? config.scale() : 1.0;
    if (const double peak = std::abs(settings.peak * scale);
        !(peak <= excitation::kLargestAcceleration))
      throw SettingError(path + (std::abs(settings.peak) > excitation::kLargestAcceleration
                                     ? ".synthetic.peak"
                                     : ".scale"),
                         "the synthetic record reaches " + in_words(peak) +
                             " m/s2, scale included; must be at most " +
                             in_words(excitation::kLargestAcceleration) + " m/s2");
    for (double& a : motion.acceleration) a *= scale;
    return motion;
  } catch (const std::invalid_argument& error) {
    throw SettingError(path + ".synthetic", error.what());
  }
}

std::vector<excitation::MovingLoad> make_moving_loads(
    const config::Excitation& config, std::vector<structure::LoadPath> paths,
    const std::string& path) {
  std::vector<excitation::MovingLoad> loads;
  for (int i = 0; i < config.moving_loads_size(); ++i) {
    const config::MovingLoad& load = config.moving_loads(i);
    try {
      loads.emplace_back(
          std::move(paths.at(static_cast<std::size_t>(i))),
          excitation::MovingLoadSettings{
              .force = load.force(), .speed = load.speed(), .start = load.start()});
    } catch (const std::invalid_argument& error) {
      throw SettingError(path + ".moving_loads[" + std::to_string(i) + "]", error.what());
    }
  }
  return loads;
}

}  // namespace

std::optional<excitation::GroundMotion> make_ground_motion(const config::Excitation& config,
                                                           std::uint64_t seed,
                                                           const std::string& path) {
  const std::string& record = config.record();
  if (record == "none") return std::nullopt;
  if (record == "synthetic" || (record.empty() && config.has_synthetic()))
    return make_synthetic(config, seed, path);
  if (record.empty()) return std::nullopt;
  return excitation::read_ground_motion(record, config.has_unit() ? config.unit() : 0.0,
                                        config.has_scale() ? config.scale() : 1.0,
                                        path + ".record");
}

namespace {

bool turns(config::Direction direction) {
  return direction == config::RX || direction == config::RY || direction == config::RZ;
}

/// Load per unit of acceleration; a turn about `about` is one about the origin and a
/// translation.
/// @param load  per unit along each direction of the ground
Eigen::VectorXd base_load_of(const config::BaseMotion& motion,
                             const Eigen::MatrixXd& load) {
  const int direction = motion.direction();
  if (!turns(motion.direction())) {
    if (motion.angle() == 0.0) return load.col(direction);
    const double c = std::cos(motion.angle());
    const double s = std::sin(motion.angle());
    return direction == config::X ? Eigen::VectorXd(c * load.col(0) + s * load.col(1))
                                  : Eigen::VectorXd(c * load.col(1) - s * load.col(0));
  }
  const auto at = [&motion](int i) {
    return i < motion.about_size() ? motion.about(i) : 0.0;
  };
  // θ × (r − p) = θ × r − θ × p
  const int axis = direction - config::RX;
  const int one = (axis + 1) % 3;
  const int other = (axis + 2) % 3;
  return load.col(direction) + at(other) * load.col(one) - at(one) * load.col(other);
}

void check_motion(const config::BaseMotion& motion,
                  const structure::StructuralModel& structure, const std::string& path,
                  SettingErrorCollector& problems) {
  const config::Direction direction = motion.direction();
  const bool planar =
      direction == config::X || direction == config::Y || direction == config::RZ;
  if (!structure.spatial && !planar)
    problems.add(path + ".direction",
                 "is of a spatial model; this one is planar: take x, y or rz");
  if (motion.has_angle() &&
      (!structure.spatial || (direction != config::X && direction != config::Y)))
    problems.add(path + ".angle",
                 "turns a motion along x or y of a spatial model; leave it out");
  if (motion.about_size() > 0 && !turns(direction))
    problems.add(path + ".about", "is of a rotation (rx, ry, rz); leave it out");
  if (motion.about_size() > 3)
    problems.add(path + ".about", "has more than three coordinates");
}

struct ScaledRecord {
  excitation::GroundMotion record;
  Eigen::VectorXd load;
  Eigen::VectorXd held;
};

std::vector<ScaledRecord> read_motions(const config::Excitation& config,
                                       const structure::StructuralModel& structure,
                                       const ExcitationSettings& settings,
                                       const std::string& path) {
  std::vector<ScaledRecord> motions;
  SettingErrorCollector problems;
  const Eigen::MatrixXd& held = structure.held.base_load;
  if (std::optional<excitation::GroundMotion> motion =
          make_ground_motion(config, settings.seed, path)) {
    if (config.motions_size() > 0)
      problems.add(path + ".motions",
                   "both a record and motions are given; give one of them");
    const bool known = structure.spatial || config.direction() == config::X ||
                       config.direction() == config::Y || config.direction() == config::RZ;
    if (!known)
      problems.add(path + ".direction",
                   "is of a spatial model; this one is planar: take x, y or rz");
    motions.push_back({std::move(*motion), structure.base_load.col(config.direction()),
                       held.size() > 0 ? Eigen::VectorXd(held.col(config.direction()))
                                       : Eigen::VectorXd()});
  }
  for (int i = 0; i < config.motions_size(); ++i) {
    const config::BaseMotion& motion = config.motions(i);
    const std::string here = path + ".motions[" + std::to_string(i) + "]";
    check_motion(motion, structure, here, problems);
    try {
      excitation::GroundMotion record = read_base_motion(motion, here);
      for (double& t : record.time) t += motion.start();
      motions.push_back({std::move(record), base_load_of(motion, structure.base_load),
                         held.size() > 0 ? base_load_of(motion, held) : Eigen::VectorXd()});
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  }
  problems.throw_if_any();
  return motions;
}

}  // namespace

excitation::Excitation make_excitation(const config::Excitation& config,
                                       const structure::StructuralModel& structure,
                                       std::vector<structure::LoadPath> load_paths,
                                       const ExcitationSettings& settings,
                                       const std::string& path) {
  const std::vector<ScaledRecord> motions = read_motions(config, structure, settings, path);
  const std::vector<LoadCase> loads = make_load_cases(config, structure, path);
  const std::vector<SupportCase> supports = make_support_cases(config, structure, path);
  excitation::ExcitationParts parts{
      .time_step = settings.time_step,
      .equations = structure.equations,
      .moving_loads = make_moving_loads(config, std::move(load_paths), path),
      .gravity = make_gravity_load(config, structure, loads, path),
      .gravity_of_members = gravity_of_members(config, structure, loads),
      .held_gravity = make_held_gravity_load(config, structure, loads)};

  double duration = 0.0;
  for (const ScaledRecord& motion : motions)
    duration = std::max(duration, motion.record.duration());
  for (const excitation::MovingLoad& load : parts.moving_loads)
    duration = std::max(duration, load.leaves());
  for (const SupportCase& support : supports)
    duration = std::max(duration, support.start + support.history.end());
  for (const LoadCase& load : loads) duration = std::max(duration, load.end);
  if (settings.duration) duration = *settings.duration;
  if (!settings.duration && !(duration > 0.0))
    throw SettingError(path,
                       "nothing loads the structure, so nothing says when the test "
                       "ends; give a record, a moving load or a duration");

  excitation::require_countable_steps(duration, settings.time_step);
  parts.steps = excitation::step_count(duration, settings.time_step);
  for (const ScaledRecord& motion : motions)
    parts.motions.push_back({motion.load,
                             motion.record.resample(settings.time_step, parts.steps),
                             motion.held});
  for (const SupportCase& support : supports)
    parts.supports.push_back(sampled(support, structure, settings.time_step, parts.steps));
  for (const LoadCase& load : loads)
    if (!load.of_gravity &&
        !(load.forces.empty() && load.members.empty() && load.held.empty()))
      parts.loads.push_back(sampled(load, settings.time_step, parts.steps));
  return excitation::Excitation(std::move(parts));
}

}  // namespace trestle::composition
