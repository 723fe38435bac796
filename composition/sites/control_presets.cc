#include "composition/sites/control_presets.h"

#include <memory>
#include <optional>

#include "composition/linear/transfer_factory.h"
#include "composition/sites/controller_factory.h"
#include "composition/sites/inlined_files.h"
#include "core/base/setting_error.h"
#include "core/math/discretisation.h"
#include "core/math/plant_model.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/site.pb.h"
#include "site-servers/compensators/inverse_model_fit.h"

namespace trestle::composition {
namespace {

constexpr double kIntegralWeight = 1e6;
constexpr double kProcessNoise = 1.0;
constexpr double kSensorNoise = 1e-6;
constexpr double kPredictiveProcessNoise = 100.0;  // against 1 at the transducers
constexpr double kLoopSlope = 0.08;                // [s]
constexpr double kLoopLowest = -0.001;             // [s²]
constexpr double kLoopHighest = 0.004;             // [s²]
constexpr double kLegacyFrequency = 12.0;          // [Hz]
constexpr std::uint32_t kLegacyOrder = 2;

/// One site under this function's roof, to keep the arguments few.
struct Place {
  config::Site& site;
  int actuators;
  double tick;
  const std::string& path;
};

void require_transfer_system(const Place& it, const std::string& field, const char* what) {
  if (it.site.has_transfer_system()) return;
  throw SettingError(it.path + field, std::string(what) +
                                          " is worked out from the site's "
                                          "transfer_system, and there is none; give it as "
                                          "it was identified, or give numbers here");
}

/// The delay of the transfer system that its own kind does not hold: whole ticks.
math::DiscreteStateSpace at_ticks(const config::Site& site, math::StateSpace model,
                                  double tick) {
  const std::uint32_t late = site.controller().lqg().latency_samples();
  if (late == 0) return math::discretise(model, tick);
  math::ObservedPlantSettings settings;
  settings.model = std::move(model);
  settings.delay = late * tick;
  settings.process_noise = 1.0;
  return math::discretise_plant(settings, tick, "transfer_system").system;
}

void put(const compensators::SeriesCoefficients& values, config::SeriesStart& start) {
  config::Row& row = *start.add_coefficients();
  for (const double value : values) row.add_values(value);
}

compensators::SeriesCoefficients by_rule(const config::SeriesStart& start,
                                         const compensators::FrequencyResponse& response,
                                         const std::string& path) {
  if (start.rule() == config::TAYLOR) return compensators::taylor_inverse(response);
  compensators::FitBand band;
  if (start.has_lowest()) band.lowest = start.lowest();
  if (start.has_highest()) band.highest = start.highest();
  if (start.has_points()) band.points = static_cast<int>(start.points());
  try {
    return compensators::fit_inverse(response, band);
  } catch (const SettingError& error) {
    throw SettingError(path + "." + error.problems().front().path,
                       error.problems().front().what);
  }
}

/// Numbers in place of a rule.
void write_out_start(const Place& it, const std::string& field,
                     config::SeriesStart& start) {
  if (start.coefficients_size() > 0) return;
  require_transfer_system(it, field, start.rule() == config::TAYLOR ? "taylor" : "fit");
  for (int i = 0; i < it.actuators; ++i) {
    const compensators::FrequencyResponse response =
        response_behind_compensator({it.site, it.actuators, it.tick, it.path}, i);
    if (!response)
      throw SettingError(it.path + field,
                         "the controller behind has no linear form to fit; give numbers");
    put(by_rule(start, response, it.path + field), start);
  }
}

void write_out_ats(const Place& it, config::AdaptiveTimeSeries& ats) {
  if (ats.expected_delay_size() > 0) return;
  if (!ats.has_initial() && !it.site.has_transfer_system()) return;
  write_out_start(it, ".compensator.ats.initial", *ats.mutable_initial());
}

bool has_controller(const config::Site& site) {
  return site.controller().kind_case() != config::ActuatorController::KIND_NOT_SET &&
         !site.controller().has_pass_through();
}

void put_controller(const Place& it, const config::LqgPreset& preset, const char* name) {
  require_transfer_system(it, ".compensator." + std::string(name), name);
  if (has_controller(it.site))
    throw SettingError(it.path + ".controller",
                       std::string("stands beside the compensator ") + name +
                           ", which brings its own controller; leave one of the two out");
  config::LinearQuadraticGaussian& lqg = *it.site.mutable_controller()->mutable_lqg();
  *lqg.mutable_plant()->mutable_model() = it.site.transfer_system();
  lqg.mutable_plant()->set_process_noise(preset.has_process_noise() ? preset.process_noise()
                                                                    : kProcessNoise);
  lqg.mutable_plant()->set_sensor_noise(preset.has_sensor_noise() ? preset.sensor_noise()
                                                                  : kSensorNoise);
  lqg.set_integral_weight(preset.has_integral_weight() ? preset.integral_weight()
                                                       : kIntegralWeight);
  lqg.set_output_weight(0.0);
  if (preset.has_drive_weight()) lqg.set_drive_weight(preset.drive_weight());
  *lqg.mutable_drive_limit() = preset.drive_limit();
  lqg.set_integrand(config::OF_ESTIMATED);
  lqg.set_latency_samples(preset.latency_samples());
}

/// What lies behind the compensator, if it is not given.
void write_out_plant(const Place& it, config::PredictiveControl& mpc) {
  if (mpc.has_plant()) return;
  const std::string field = ".compensator.mpc.plant";
  require_transfer_system(it, field, "plant");
  if (has_controller(it.site))
    throw SettingError(it.path + field,
                       "is missing, and the transfer_system is not all behind the "
                       "compensator, since the site has a controller; give the plant "
                       "as it was identified with that");
  *mpc.mutable_plant()->mutable_model() = it.site.transfer_system();
  mpc.mutable_plant()->set_process_noise(kPredictiveProcessNoise);
}

void put_ats_of_loop(config::AdaptiveTimeSeries ats, config::Compensator& compensator) {
  if (!ats.has_a1()) ats.mutable_a1()->set_highest(kLoopSlope);
  if (!ats.has_a2()) {
    ats.mutable_a2()->set_lowest(kLoopLowest);
    ats.mutable_a2()->set_highest(kLoopHighest);
  }
  *compensator.mutable_ats() = std::move(ats);
}

/// As of a table of which no more than the delay τ is known: 1, τ, τ²/2.
void put_legacy(const Place& it, config::AdaptiveTimeSeries ats) {
  if (!ats.has_target_filter()) {
    ats.mutable_target_filter()->set_frequency(kLegacyFrequency);
    ats.mutable_target_filter()->set_order(kLegacyOrder);
  }
  if (ats.has_initial()) {
    write_out_start(it, ".compensator.legacy_filtered_command.initial",
                    *ats.mutable_initial());
  } else {
    require_transfer_system(it, ".compensator.legacy_filtered_command",
                            "legacy_filtered_command");
    for (int i = 0; i < it.actuators; ++i) {
      const compensators::SeriesCoefficients taylor = compensators::taylor_inverse(
          response_behind_compensator({it.site, it.actuators, it.tick, it.path}, i));
      const double delay = taylor[1] / taylor[0];
      put({1.0, delay, 0.5 * delay * delay}, *ats.mutable_initial());
    }
  }
  *it.site.mutable_compensator()->mutable_ats() = std::move(ats);
}

}  // namespace

void expand_presets(config::Site& site, int actuators, double tick,
                    const std::string& path) {
  if (!site.has_compensator()) return;  // none is made by looking for it
  const Place it{site, actuators, tick, path};
  config::Compensator& compensator = *site.mutable_compensator();
  switch (compensator.kind_case()) {
    case config::Compensator::kLqg:
      put_controller(it, compensator.lqg(), "lqg");
      compensator.mutable_none();
      break;
    case config::Compensator::kAtsLqg: {
      const config::AtsLqgPreset preset = compensator.ats_lqg();
      put_controller(it, preset.lqg(), "ats_lqg");
      put_ats_of_loop(preset.ats(), compensator);
      write_out_ats(it, *compensator.mutable_ats());
      break;
    }
    case config::Compensator::kLegacyFilteredCommand:
      put_legacy(it, compensator.legacy_filtered_command());
      break;
    case config::Compensator::kAts:
      write_out_ats(it, *compensator.mutable_ats());
      break;
    case config::Compensator::kFixedInverse: {
      config::FixedInverse& inverse = *compensator.mutable_fixed_inverse();
      if (!inverse.has_coefficients())
        inverse.mutable_coefficients()->set_rule(config::TAYLOR);
      write_out_start(it, ".compensator.fixed_inverse.coefficients",
                      *inverse.mutable_coefficients());
      break;
    }
    case config::Compensator::kKalman: {
      config::KalmanInverse& kalman = *compensator.mutable_kalman();
      if (kalman.has_initial())
        write_out_start(it, ".compensator.kalman.initial", *kalman.mutable_initial());
      break;
    }
    case config::Compensator::kConditionalAts: {
      config::ConditionalTimeSeries& series = *compensator.mutable_conditional_ats();
      if (series.has_initial())
        write_out_start(it, ".compensator.conditional_ats.initial",
                        *series.mutable_initial());
      break;
    }
    case config::Compensator::kMpc:
      write_out_plant(it, *compensator.mutable_mpc());
      break;
    default:
      break;
  }
}

compensators::FrequencyResponse response_behind_compensator(const LoopOfSite& of,
                                                            int actuator, bool sampled) {
  const auto& [site, actuators, tick, path] = of;
  if (!site.has_transfer_system()) return {};
  math::StateSpace model =
      make_transfer(site.transfer_system(), actuators, path + ".transfer_system");
  const config::ActuatorController& chosen = site.controller();
  const bool direct = chosen.kind_case() == config::ActuatorController::KIND_NOT_SET ||
                      chosen.has_pass_through();
  if (direct && !sampled)
    return [model = std::move(model), actuator](std::complex<double> s) {
      return math::frequency_response(model, s)(actuator, actuator);
    };
  math::DiscreteStateSpace loop = at_ticks(site, std::move(model), tick);
  if (!direct) {
    const std::optional<LinearControllerModel> control =
        make_controller(inline_files(chosen, path + ".controller"), actuators, tick,
                        path + ".controller")
            ->linearise(actuators);
    if (!control) return {};
    loop = compensators::closed_loop(loop, *control);
  }
  return [loop = std::move(loop), actuator, tick = of.tick](std::complex<double> s) {
    return math::frequency_response(loop, std::exp(s * tick))(actuator, actuator);
  };
}

}  // namespace trestle::composition
