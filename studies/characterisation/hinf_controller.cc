#include "studies/characterisation/hinf_controller.h"

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "core/base/setting_error.h"
#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"
#include "core/yaml/yaml_writer.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "site-servers/controllers/state_space_controller.h"
#include "studies/characterisation/sampled_plant.h"
#include "studies/controller_design/bilinear_map.h"

namespace trestle::characterisation {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

template <typename... Values>
std::string print_numbers(const char* format, Values... values) {
  char text[160];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

void put(const MatrixXd& matrix, config::Matrix& message) {
  for (Index i = 0; i < matrix.rows(); ++i) {
    config::Row& row = *message.add_rows();
    for (Index j = 0; j < matrix.cols(); ++j) row.add_values(matrix(i, j));
  }
}

/// Of (I + G·K)⁻¹·G·K at a low frequency, less the tick in which the drive acts.
std::vector<double> delays_of_loop(const math::DiscreteStateSpace& plant,
                                   const math::StateSpace& controller, double frequency) {
  const math::DiscreteStateSpace K =
      math::discretise(controller, plant.period, math::Discretisation::kTustin);
  const double omega = 2.0 * std::numbers::pi * frequency;
  const std::complex<double> z = std::polar(1.0, omega * plant.period);
  const MatrixXcd open =
      math::frequency_response(plant, z) * math::frequency_response(K, z);
  const MatrixXcd closed =
      math::solve_complex(MatrixXcd::Identity(open.rows(), open.cols()) + open, open);
  std::vector<double> delays;
  for (Index i = 0; i < closed.rows(); ++i)
    delays.push_back(-std::arg(closed(i, i)) / omega - plant.period);
  return delays;
}

/// What no test would take is not designed either; it also bounds the time of the design.
void require_few_states(const math::DiscreteStateSpace& plant) {
  constexpr Index kOfWeights = 2;  // of each actuator
  constexpr Index kMost = controllers::StateSpaceController::kMostStates;
  const Index states = plant.A.rows() + kOfWeights * plant.B.cols();
  if (states > kMost)
    throw SettingError("characterise.hinf",
                       "the controller would have " + std::to_string(states) +
                           " states, limit " + std::to_string(kMost) +
                           "; the delays of the rig take one for each control tick. Use a "
                           "compensator, or a controller of lower order by another tool");
}

std::string numbers_of(const RigController& found, const char* start) {
  const controller_design::SensitivityDesign& it = found.design;
  std::string text =
      start +
      print_numbers("bandwidth %.4g Hz, gamma %.4g (least %.4g), norm %.4g, %ld states\n",
                    it.weights.bandwidth, it.hinf.level, it.hinf.least_level, it.norm,
                    static_cast<long>(it.hinf.controller.states())) +
      start +
      print_numbers(
          "errors grow by at most %.4g, drive over error at most %.4g; a slow motion "
          "comes late by",
          it.error_peak, it.drive_peak);
  for (const double delay : found.low_frequency_delay)
    text += print_numbers(" %.4g", 1e3 * delay);
  return text + " ms\n";
}

}  // namespace

RigController design_hinf_controller(const CharacteriseReport& report,
                                     const CharacteriseSettings& settings) {
  const math::DiscreteStateSpace plant = sampled_plant(report, settings.tick);
  require_few_states(plant);
  RigController found;
  found.design = controller_design::design_mixed_sensitivity(
      controller_design::bilinear_image(plant), settings.hinf, "characterise.hinf");
  math::StateSpace& controller = found.design.hinf.controller;
  controller = math::balanced(std::move(controller));
  found.low_frequency_delay = delays_of_loop(plant, controller, settings.lowest);
  return found;
}

std::string hinf_controller_yaml(const RigController& found,
                                 const CharacteriseSettings& settings,
                                 const CharacteriseFacts& facts, const std::string& name) {
  const controller_design::SensitivityWeights& it = found.design.weights;
  std::string text = "# An H-infinity controller for the rig of site " + facts.site +
                     (facts.real_equipment ? "" : " (simulated)") + ", designed " +
                     facts.stamp + " by\n#   trestle characterise " + facts.file +
                     " --design hinf\n";
  text += print_numbers(
      "# weights: static_error %.4g, peak %.4g, drive_gain %.4g, drive_corner "
      "%.4g Hz; control tick %.6g ms\n",
      it.static_error, it.peak, it.drive_gain, it.drive_corner, 1e3 * settings.tick);
  text += numbers_of(found, "# ");
  text += "#   controller: {include: " + name + "}\n";
  config::ActuatorController message;
  config::StateSpaceController& controller = *message.mutable_state_space();
  const math::StateSpace& K = found.design.hinf.controller;
  put(K.A, *controller.mutable_state());
  put(K.B, *controller.mutable_input());
  put(K.C, *controller.mutable_output());
  put(K.D, *controller.mutable_feedthrough());
  controller.set_time(config::CONTROLLER_TIME_CONTINUOUS);
  return text + yaml::write_yaml(message);
}

std::string hinf_controller_summary(const RigController& found) {
  return "controller, H-infinity\n" + numbers_of(found, "  ");
}

}  // namespace trestle::characterisation
