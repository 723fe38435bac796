#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <vector>

#include "site-servers/compensators/adaptive_discrete_feedforward.h"
#include "site-servers/compensators/adaptive_discrete_model.h"
#include "site-servers/compensators/adaptive_fir.h"
#include "site-servers/compensators/adaptive_polynomial.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/conditional_ats.h"
#include "site-servers/compensators/fixed_inverse.h"
#include "site-servers/compensators/inverse_compensation.h"
#include "site-servers/compensators/kalman_inverse.h"
#include "site-servers/compensators/narx_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/compensators/polynomial_extrapolation.h"
#include "site-servers/compensators/predictive_control.h"
#include "site-servers/compensators/windowed_ats.h"
#include "tests/site-servers/control/schema_kinds.h"

namespace trestle::testing {

/// A compensator as some test may use it.
struct CompensatorKind {
  const char* name;
  std::function<std::unique_ptr<Compensator>(int actuators, double tick)> make;
  bool of_schema = false;   ///< found in the schema, and not in the list below
  bool feeds_back = false;  ///< its command depends on what is measured: no linear form

  friend std::ostream& operator<<(std::ostream& out, const CompensatorKind& kind) {
    return out << kind.name;
  }
};

template <typename Type, typename Settings>
CompensatorKind compensator_kind(const char* name, Settings settings) {
  return {name, [settings](int actuators, double tick) {
            Settings of_tick = settings;
            of_tick.tick = tick;
            return std::make_unique<Type>(actuators, of_tick);
          }};
}

/// Predictive control of actuators that are late: one alone by the 14 ticks of the trials.
inline CompensatorKind predictive_kind(const char* name,
                                       compensators::PredictiveControlSettings settings) {
  return {.name = name,
          .make =
              [settings](int actuators, double tick) {
                constexpr double kFast = 1e4;  // [rad/s]
                const Eigen::MatrixXd unit =
                    Eigen::MatrixXd::Identity(actuators, actuators);
                compensators::PredictiveControlSettings of_rig = settings;
                of_rig.tick = tick;
                of_rig.plant = {.model = {.A = -kFast * unit,
                                          .B = kFast * unit,
                                          .C = unit,
                                          .D = 0.0 * unit},
                                .delay = (actuators == 1 ? 14 : 2) * tick,
                                .process_noise = 1e-2};
                return std::make_unique<compensators::PredictiveControl>(actuators, of_rig);
              },
          .feeds_back = true};
}

/// Adaptive ones with their excitation floors, as they are meant to run.
inline std::vector<CompensatorKind> listed_kinds() {
  return {
      {"none",
       [](int, double) {
         return std::make_unique<compensators::NoCompensator>();
       }},
      compensator_kind<compensators::InverseCompensation>(
          "inverse", compensators::InverseSettings{.delay = 0.012}),
      compensator_kind<compensators::PolynomialExtrapolation>(
          "polynomial", compensators::PolynomialSettings{.delay = 0.012}),
      compensator_kind<compensators::AdaptivePolynomial>(
          "adaptive_polynomial", compensators::AdaptivePolynomialSettings{.delay = 0.012}),
      compensator_kind<compensators::AtsCompensator>(
          "ats", compensators::AtsSettings{.expected_delay = 0.012}),
      compensator_kind<compensators::AtsCompensator>(
          "ats_window", compensators::AtsSettings{.expected_delay = 0.012,
                                                  .window = 1.0,
                                                  .filter = {.frequency = 10.0},
                                                  .differences = true}),
      {"fixed_inverse",
       [](int, double) {
         return std::make_unique<compensators::FixedInverse>(
             1, compensators::SeriesCoefficientsPerActuator({{1.0, 0.012, 7.2e-5}}));
       }},
      compensator_kind<compensators::WindowedAts>(
          "windowed_ats",
          compensators::WindowedAtsSettings{
              .initial =
                  compensators::SeriesCoefficientsPerActuator({{1.0, 0.012, 7.2e-5}})}),
      compensator_kind<compensators::NarxCompensator>(
          "narx", compensators::NarxSettings{.initial_delay = 0.012}),
      compensator_kind<compensators::NarxCompensator>(
          "narx_nonlinear",
          compensators::NarxSettings{.ridge = 1e-13,
                                     .initial_delay = 0.012,
                                     .linear_taps = 2,
                                     .products = {{{.tap = 1}, {.tap = 2, .power = 0.5}}}}),
      compensator_kind<compensators::NarxCompensator>(
          "narx_recursive",
          compensators::NarxSettings{
              .ridge = 1e-13, .initial_delay = 0.012, .terms = {"x0", "x1", "x2", "u1"}}),
      compensator_kind<compensators::NarxCompensator>(
          "narx_terms",
          compensators::NarxSettings{.ridge = 1e-13,
                                     .initial_delay = 0.012,
                                     .terms = {"x0", "x1", "x2", "tanh(u1)"}}),
      compensator_kind<compensators::KalmanInverse>(
          "kalman", compensators::KalmanInverseSettings{.expected_delay = 0.012}),
      compensator_kind<compensators::KalmanInverse>(
          "kalman_extended",
          compensators::KalmanInverseSettings{
              .form = compensators::KalmanInverseSettings::Form::kExtended,
              .expected_delay = 0.012}),
      compensator_kind<compensators::AdaptiveFir>(
          "adaptive_fir",
          compensators::AdaptiveFirSettings{.start = {.initial_delay = 0.012},
                                            .excitation_floor = 5e-5}),
      compensator_kind<compensators::AdaptiveDiscreteModel>(
          "adm",
          compensators::AdaptiveDiscreteModelSettings{.start = {.initial_delay = 0.012}}),
      compensator_kind<compensators::ConditionalAts>(
          "conditional_ats", compensators::ConditionalAtsSettings{.expected_delay = 0.012}),
      compensator_kind<compensators::AdaptiveDiscreteFeedforward>(
          "adfc",
          compensators::AdaptiveDiscreteFeedforwardSettings{.initial_delay = 0.012}),
      predictive_kind("mpc", {.horizon = 4e-3, .moves = 2}),
  };
}

/// listed_kinds(), and each further kind of the schema with the settings of sample_of().
inline std::vector<CompensatorKind> compensator_kinds() {
  std::vector<CompensatorKind> kinds = listed_kinds();
  for (const SchemaKind& kind : kinds_of_schema())
    if (std::none_of(kinds.begin(), kinds.end(), [&](const CompensatorKind& listed) {
          return kind.name == listed.name;
        }))
      kinds.push_back({kind.name.c_str(), kind.make, true});
  return kinds;
}

/// Adaptive ones that learn from any motion, and predictive control within its limits.
inline std::vector<CompensatorKind> ungated_kinds() {
  return {
      compensator_kind<compensators::AdaptivePolynomial>(
          "adaptive_polynomial_ungated",
          compensators::AdaptivePolynomialSettings{.delay = 0.012,
                                                   .excitation_floor = 0.0}),
      compensator_kind<compensators::AtsCompensator>(
          "ats_ungated",
          compensators::AtsSettings{.expected_delay = 0.012, .excitation_floor = 0.0}),
      compensator_kind<compensators::NarxCompensator>(
          "narx_ungated", compensators::NarxSettings{.order = 4,
                                                     .ridge = 1e-13,
                                                     .initial_delay = 0.012,
                                                     .excitation_floor = 0.0,
                                                     .linear_taps = 5}),
      compensator_kind<compensators::AdaptiveFir>(
          "adaptive_fir_as_published",
          compensators::AdaptiveFirSettings{
              .start = {.initial_delay = 0.012, .initial_covariance = 1e11}}),
      compensator_kind<compensators::AdaptiveDiscreteModel>(
          "adm_ungated",
          compensators::AdaptiveDiscreteModelSettings{.forgetting = 0.9995,
                                                      .start = {.initial_delay = 0.012},
                                                      .excitation_floor = 0.0}),
      compensator_kind<compensators::ConditionalAts>(
          "conditional_ats_ungated",
          compensators::ConditionalAtsSettings{.expected_delay = 0.012,
                                               .excitation_floor = 0.0}),
      compensator_kind<compensators::AdaptiveDiscreteFeedforward>(
          "adfc_ungated",
          compensators::AdaptiveDiscreteFeedforwardSettings{.initial_delay = 0.012,
                                                            .excitation_floor = 0.0}),
      predictive_kind(
          "mpc_within_limits",
          {.horizon = 8e-3, .moves = 3, .stroke = 0.005, .rate = 0.05, .iterations = 5}),
  };
}

}  // namespace trestle::testing
