#include "studies/characterisation/motion_findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

namespace trestle::characterisation {
namespace {

constexpr double kNoChance = 4.0;  // standard deviations
constexpr double kFollows = 0.01;  // less of the drive is no motion
// Rounding of a reading without noise in double precision.
constexpr double kRounding = 1e-12;

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation(std::span<const double> values, double about) {
  double sum = 0.0;
  for (const double value : values) sum += (value - about) * (value - about);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

struct Slope {
  double value = 0.0;
  double deviation = 0.0;
};

/// Slope of y over x, both about zero, if y has white noise.
Slope slope_of(std::span<const double> x, std::span<const double> y, double noise) {
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    xx += x[n] * x[n];
    xy += x[n] * y[n];
  }
  return {xy / xx, noise / std::sqrt(xx)};
}

std::vector<double> less(std::vector<double> values, double offset) {
  for (double& value : values) value -= offset;
  return values;
}

std::string rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// When a rising motion passes `level` for the first time, between the ticks [tick].
double passes(std::span<const double> values, double level, double sign) {
  for (std::size_t n = 1; n < values.size(); ++n) {
    const double before = sign * values[n - 1];
    const double here = sign * values[n];
    if (here >= level)
      return static_cast<double>(n) - 1.0 +
             (before < level ? (level - before) / (here - before) : 0.0);
  }
  return 0.0;
}

double rise_of(std::span<const double> values, double amplitude, double tick) {
  const double sign = amplitude < 0.0 ? -1.0 : 1.0;
  const double size = std::abs(amplitude);
  return tick * (passes(values, 0.9 * size, sign) - passes(values, 0.1 * size, sign));
}

}  // namespace

void analyse_rest(const ExerciseRecord& rest, const ActuatorVector& position,
                  std::vector<ActuatorFinding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    ActuatorFinding& finding = findings[i];
    const std::size_t half = rest.drive.size() / 2;
    const std::span<const double> displacement =
        std::span(rest.displacement[i]).subspan(half);
    const std::span<const double> force = std::span(rest.force[i]).subspan(half);
    finding.position = mean(displacement);
    finding.offset = finding.position - position(static_cast<Eigen::Index>(i));
    finding.force_offset = mean(force);
    finding.displacement_noise = deviation(displacement, finding.position);
    finding.force_noise = deviation(force, finding.force_offset);
  }
}

std::string analyse_polarity(const ExerciseRecord& motion,
                             const ActuatorDescription& actuator, std::size_t place,
                             ActuatorFinding& finding) {
  const std::vector<double> moved = less(motion.displacement[place], finding.position);
  const std::vector<double> force = less(motion.force[place], finding.force_offset);
  const Slope slope = slope_of(motion.drive, moved, finding.displacement_noise);
  finding.slope = slope.value;
  finding.slope_deviation = slope.deviation;
  const std::string name = "actuator " + actuator.name;
  if (std::abs(slope.value) < std::max(kNoChance * slope.deviation, kFollows))
    return name + " does not follow its drive: its measured displacement moves by " +
           rounded(slope.value) + " of it (± " + rounded(slope.deviation) +
           "); see to its pressure, its valve and its transducer";
  if (slope.value < 0.0)
    return name + " moves the wrong way: its measured displacement moves by " +
           rounded(slope.value) + " of its drive (± " + rounded(slope.deviation) +
           "), must be about +1; turn round the sign of its transducer or of its drive";
  const Slope felt = slope_of(moved, force, finding.force_noise);
  double largest = 0.0;
  for (const double value : motion.force[place])
    largest = std::max(largest, std::abs(value));
  double reach = 0.0;
  for (const double value : moved) reach = std::max(reach, std::abs(value));
  if (std::abs(felt.value) <= kNoChance * felt.deviation + kRounding * largest / reach)
    return {};
  if (felt.value < 0.0)
    return "the force of " + name + " has the wrong sign: it falls by " +
           rounded(-felt.value) + " per m | rad (± " + rounded(felt.deviation) +
           ") where the displacement grows; a specimen resists, so it must grow; turn "
           "round the sign of its load cell";
  finding.stiffness = felt.value;
  return {};
}

void analyse_step(const ExerciseRecord& step, double tick, double rise, double hold,
                  std::size_t place, ActuatorFinding& finding) {
  const std::vector<double> moved = less(step.displacement[place], finding.position);
  const auto begin = static_cast<std::size_t>((rise + 0.5 * hold) / tick);
  const auto end = std::min(moved.size(), static_cast<std::size_t>((rise + hold) / tick));
  const std::span<const double> settled = std::span(moved).subspan(begin, end - begin);
  const double amplitude = step.drive[begin];
  const double there = mean(settled);
  finding.settled_gain = there / amplitude;
  finding.settled_deviation =
      std::hypot(
          finding.displacement_noise / std::sqrt(static_cast<double>(settled.size())),
          finding.displacement_noise /
              std::sqrt(static_cast<double>(std::max<std::size_t>(begin, 1)))) /
      std::abs(amplitude);
  finding.rise_time = rise_of(moved, there, tick);
  finding.drive_rise_time = rise_of(step.drive, amplitude, tick);
}

}  // namespace trestle::characterisation
