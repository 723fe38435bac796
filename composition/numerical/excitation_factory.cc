#include "composition/numerical/excitation_factory.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/setting_error.h"
#include "numerical/excitation/synthetic_ground_motion.h"
#include "proto/config/excitation.pb.h"

namespace trestle {
namespace {

constexpr double kLongestSynthetic = 86400.0;  // [s]

GroundMotion make_synthetic(const config::Excitation& config, std::uint64_t seed,
                            const std::string& path) {
  const config::Synthetic& synthetic = config.synthetic();
  SyntheticSettings settings;
  settings.seed = synthetic.has_seed() ? synthetic.seed() : seed;
  if (synthetic.has_duration()) settings.duration = synthetic.duration();
  if (settings.duration > kLongestSynthetic)
    throw SettingError(path + ".synthetic.duration",
                       "is longer than a day; must be at most 86400 s");
  if (synthetic.has_peak()) settings.peak = synthetic.peak();
  if (synthetic.has_ground_frequency())
    settings.ground_frequency = synthetic.ground_frequency();
  if (synthetic.has_ground_damping()) settings.ground_damping = synthetic.ground_damping();
  try {
    GroundMotion motion = synthetic_record(settings);
    const double scale = config.has_scale() ? config.scale() : 1.0;
    for (double& a : motion.acceleration) a *= scale;
    return motion;
  } catch (const std::invalid_argument& error) {
    throw SettingError(path + ".synthetic", error.what());
  }
}

std::vector<MovingLoad> make_moving_loads(const config::Excitation& config,
                                          std::vector<LoadPath> paths,
                                          const std::string& path) {
  std::vector<MovingLoad> loads;
  for (int i = 0; i < config.moving_loads_size(); ++i) {
    const config::MovingLoad& load = config.moving_loads(i);
    try {
      loads.emplace_back(
          std::move(paths.at(static_cast<std::size_t>(i))),
          MovingLoadSettings{
              .force = load.force(), .speed = load.speed(), .start = load.start()});
    } catch (const std::invalid_argument& error) {
      throw SettingError(path + ".moving_loads[" + std::to_string(i) + "]", error.what());
    }
  }
  return loads;
}

}  // namespace

std::optional<GroundMotion> make_ground_motion(const config::Excitation& config,
                                               std::uint64_t seed,
                                               const std::string& path) {
  const std::string& record = config.record();
  if (record == "none") return std::nullopt;
  if (record == "synthetic" || (record.empty() && config.has_synthetic()))
    return make_synthetic(config, seed, path);
  if (record.empty()) return std::nullopt;
  return read_ground_motion(record, config.has_unit() ? config.unit() : 0.0,
                            config.has_scale() ? config.scale() : 1.0, path + ".record");
}

Excitation make_excitation(const config::Excitation& config,
                           const StructuralModel& structure,
                           std::vector<LoadPath> load_paths,
                           const ExcitationSettings& settings, const std::string& path) {
  const std::optional<GroundMotion> motion =
      make_ground_motion(config, settings.seed, path);
  std::vector<MovingLoad> loads = make_moving_loads(config, std::move(load_paths), path);

  double duration = motion ? motion->duration() : 0.0;
  for (const MovingLoad& load : loads) duration = std::max(duration, load.leaves());
  if (settings.duration) duration = *settings.duration;
  if (!settings.duration && !motion && loads.empty())
    throw SettingError(path,
                       "nothing loads the structure, so nothing says when the test "
                       "ends; give a record, a moving load or a duration");

  require_countable_steps(duration, settings.time_step);
  const std::int64_t steps = step_count(duration, settings.time_step);
  const Eigen::VectorXd& base_load =
      config.direction() == config::Y ? structure.base_load_y : structure.base_load_x;
  return Excitation(
      settings.time_step, steps, base_load,
      motion ? motion->resample(settings.time_step, steps) : std::vector<double>{},
      std::move(loads));
}

}  // namespace trestle
