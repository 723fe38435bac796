#include "studies/identification/crossing_factory.h"

#include <cmath>
#include <cstdio>

#include "core/base/setting_error.h"
#include "studies/identification/column_file.h"

namespace trestle::identification {
namespace {

/// Least number of samples while an axle crosses the shortest span.
constexpr double kSamplesPerSpan = 20.0;
/// Newmark's error in the response then stays below the readings' usual noise (B4).
constexpr double kModelStep = 0.625e-3;
/// Numbers of the contact's mode shapes: 320 MB with their slopes.
constexpr double kMostStored = 2e7;
/// Permitted deviation of times, relative to a sampling period.
constexpr double kUneven = 0.01;

template <typename... Values>
std::string sentence(const char* format, Values... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

void check_sampling(double period, double speed, const Girder& girder,
                    const std::string& path) {
  const double limit = kSamplesPerSpan * speed / girder.shortest_span();
  if (1.0 / period < limit * (1.0 - 1e-9))
    throw SettingError(
        path,
        sentence(
            "sampling is too coarse: %.4g Hz at %.4g m/s are %.3g samples while an axle "
            "crosses the shortest span (%.4g m); needs %g, so at least %.4g Hz, "
            "or at most %.4g m/s",
            1.0 / period, speed, girder.shortest_span() / speed / period,
            girder.shortest_span(), kSamplesPerSpan, limit,
            girder.shortest_span() / period / kSamplesPerSpan));
}

int substeps(const config::Crossing& crossing, double period, const std::string& path) {
  if (!crossing.has_time_step())
    return crossing.record().empty()
               ? 1
               : static_cast<int>(std::ceil(period / kModelStep - 1e-9));
  const double number = period / crossing.time_step();
  if (number < 1.0 - 1e-9 || std::abs(number - std::round(number)) > 1e-6)
    throw SettingError(
        path + ".time_step",
        sentence("time_step is %.6g s; must be the sampling period, %.6g s, or a whole "
                 "part of it",
                 crossing.time_step(), period));
  return static_cast<int>(std::round(number));
}

/// Seconds from the first axle's entry to the last one's exit.
double crossing_time(const config::Crossing& crossing, const Girder& girder,
                     const VehicleModel& vehicle) {
  return (girder.length() + vehicle.length()) / crossing.speed();
}

using Columns = std::vector<std::vector<double>>;

Columns read_record(const config::Identification& study, const config::Crossing& crossing,
                    const std::string& path) {
  std::vector<std::string> names{"time_s"};
  for (const config::BridgeSensor& sensor : study.sensors())
    names.push_back(sensor.column().empty() ? sensor.name() : sensor.column());
  const auto columns = read_columns(crossing.record(), crossing.group(), names);
  if (!columns) throw SettingError(path + ".record", columns.error().detail);
  if (columns.value().front().size() < 3)
    throw SettingError(path + ".record", "record has fewer than three samples");
  return columns.value();
}

double sampling_period(const std::vector<double>& time, const std::string& path) {
  const double period = (time.back() - time.front()) / static_cast<double>(time.size() - 1);
  if (!(period > 0.0))
    throw SettingError(path + ".record", "record has times that do not rise");
  for (std::size_t i = 0; i < time.size(); ++i)
    if (std::abs(time[i] - time.front() - period * static_cast<double>(i)) >
        kUneven * period)
      throw SettingError(
          path + ".record",
          sentence("record has times that do not go evenly: sample %zu is at "
                   "%.9g s, where %.9g s is due",
                   i + 1, time[i], time.front() + period * static_cast<double>(i)));
  return period;
}

struct SampledTimes {
  const std::vector<double>& time;
  double period;  ///< [s]
};

void check_cover(const SampledTimes& sampled, const config::Crossing& crossing,
                 const Girder& girder, const VehicleModel& vehicle,
                 const std::string& path) {
  const auto& [time, period] = sampled;
  const double needed = crossing_time(crossing, girder, vehicle);
  if (crossing.entry() < time.front() - period)
    throw SettingError(path + ".entry",
                       sentence("entry is %.4g s; the record begins at %.4g s only",
                                crossing.entry(), time.front()));
  if (time.back() < crossing.entry() + needed - 1.5 * period)
    throw SettingError(
        path + ".record",
        sentence("record ends at %.4g s; the vehicle, of %.4g m from first to last axle, "
                 "enters at "
                 "%.4g s and needs %.4g s for the %.4g m of the bridge at %.4g m/s",
                 time.back(), vehicle.length(), crossing.entry(), needed, girder.length(),
                 crossing.speed()));
}

Eigen::VectorXd readings(const config::Identification& study, const Columns& columns,
                         std::size_t first, int samples, const std::string& path) {
  const int sensors = study.sensors_size();
  Eigen::VectorXd readings(samples * sensors);
  for (int s = 0; s < sensors; ++s) {
    const config::BridgeSensor& sensor = study.sensors(s);
    const double factor = sensor.has_factor() ? sensor.factor() : 1.0;
    double largest = 0.0;
    for (int k = 0; k < samples; ++k) {
      const double value =
          factor *
          columns[static_cast<std::size_t>(s) + 1][first + static_cast<std::size_t>(k)];
      readings(k * sensors + s) = value;
      largest = std::max(largest, std::abs(value));
    }
    if (largest == 0.0)
      throw SettingError(path + ".record", "record has nothing but zeros from sensor `" +
                                               sensor.name() +
                                               "` while the vehicle is on the bridge");
  }
  return readings;
}

CrossingPlan recorded(const config::Identification& study, const config::Crossing& crossing,
                      const Girder& girder, const VehicleModel& vehicle,
                      const std::string& path) {
  const Columns columns = read_record(study, crossing, path);
  const std::vector<double>& time = columns.front();
  const double period = sampling_period(time, path);
  check_sampling(period, crossing.speed(), girder, path + ".record");
  check_cover({time, period}, crossing, girder, vehicle, path);
  std::size_t first = 0;
  while (time[first] < crossing.entry() - 1e-6 * period) ++first;
  const double offset = time[first] - crossing.entry();
  const double left = crossing_time(crossing, girder, vehicle) - offset;
  const auto samples = static_cast<int>(std::min(std::floor(left / period + 1e-6) + 1.0,
                                                 static_cast<double>(time.size() - first)));
  CrossingPlan plan;
  plan.settings.sampling_period = period;
  plan.settings.samples = samples;
  plan.settings.first_sample = std::max(0.0, offset);
  plan.measured = readings(study, columns, first, samples, path);
  return plan;
}

CrossingPlan planned(const config::Identification& study, const config::Crossing& crossing,
                     const Girder& girder, const VehicleModel& vehicle,
                     const std::string& path) {
  if (!study.has_synthetic())
    throw SettingError(path, "pass has no record, and there is no `synthetic` to make one");
  CrossingPlan plan;
  plan.settings.sampling_period = 1.0 / study.synthetic().sampling_rate();
  check_sampling(plan.settings.sampling_period, crossing.speed(), girder,
                 "synthetic.sampling_rate");
  plan.settings.samples =
      static_cast<int>(std::floor(crossing_time(crossing, girder, vehicle) /
                                      plan.settings.sampling_period +
                                  1e-6)) +
      1;
  return plan;
}

}  // namespace

std::vector<Sensor> bridge_sensors(const config::Identification& study,
                                   const Girder& girder) {
  std::vector<Sensor> sensors;
  for (const config::BridgeSensor& given : study.sensors()) {
    if (given.at() <= 0.0 || given.at() >= girder.length())
      throw SettingError(
          "sensors." + given.name() + ".at",
          sentence("at is %.6g m, which is not on the bridge; must be between "
                   "0 m and %.6g m",
                   given.at(), girder.length()));
    sensors.push_back({given.name(), given.at(), static_cast<Measures>(given.measures()),
                       given.has_gauge_arm() ? given.gauge_arm() : 1.0});
  }
  return sensors;
}

CrossingPlan crossing_plan(const config::Identification& study, int at,
                           const Girder& girder, const VehicleModel& vehicle) {
  const config::Crossing& crossing = study.passes(at);
  const std::string path = "passes[" + std::to_string(at) + "]";
  CrossingPlan plan = crossing.record().empty()
                          ? planned(study, crossing, girder, vehicle, path)
                          : recorded(study, crossing, girder, vehicle, path);
  plan.settings.speed = crossing.speed();
  plan.settings.approach = crossing.approach();
  plan.settings.substeps = substeps(crossing, plan.settings.sampling_period, path);
  const double steps = static_cast<double>(plan.settings.samples) * plan.settings.substeps;
  if (steps * static_cast<double>(girder.mode_count() * vehicle.axle_count()) > kMostStored)
    throw SettingError(path, sentence("pass takes %.3g time steps, more than this machine "
                                      "shall hold; take a longer time_step, or thin the "
                                      "readings out",
                                      steps));
  return plan;
}

}  // namespace trestle::identification
