#include "composition/sites/compensator_factory.h"

#include <algorithm>
#include <optional>

#include "composition/linear/catalog_parts.h"
#include "composition/linear/matrix_factory.h"
#include "composition/linear/transfer_factory.h"
#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/matrix.pb.h"
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

namespace trestle::composition {
namespace {

constexpr double kFirFloor = 5e-5;  // of a start from a delay [m | rad]
constexpr double kNone = 0.0;       // a delay that is not set [s]

using Numbers = google::protobuf::RepeatedField<double>;

compensators::PerActuator plural(const Numbers& values, double otherwise) {
  if (values.empty()) return otherwise;
  return compensators::PerActuator(std::vector<double>(values.begin(), values.end()));
}

compensators::AdaptationFilter filter_of(const config::LearningFilter& filter) {
  compensators::AdaptationFilter settings{.frequency = filter.frequency()};
  if (filter.has_order()) settings.order = static_cast<int>(filter.order());
  return settings;
}

compensators::PolynomialSettings settings_of(const config::PolynomialExtrapolation& it,
                                             double tick) {
  compensators::PolynomialSettings settings{.tick = tick,
                                            .delay = plural(it.delay(), kNone)};
  if (it.has_order()) settings.order = static_cast<int>(it.order());
  return settings;
}

compensators::InverseSettings settings_of(const config::InverseCompensation& it,
                                          double tick) {
  return {.tick = tick,
          .delay = plural(it.delay(), kNone),
          .form = it.form() == config::LAG_MINUS_ONE
                      ? compensators::InverseSettings::Form::kLagMinusOne
                      : compensators::InverseSettings::Form::kLagPlusOne};
}

compensators::AdaptivePolynomialSettings settings_of(const config::AdaptivePolynomial& it,
                                                     double tick) {
  compensators::AdaptivePolynomialSettings settings{.tick = tick,
                                                    .delay = plural(it.delay(), kNone)};
  if (it.has_order()) settings.order = static_cast<int>(it.order());
  if (it.has_points()) settings.points = static_cast<int>(it.points());
  if (it.has_delay_gain()) settings.delay_gain = it.delay_gain();
  if (it.has_amplitude_gain()) settings.amplitude_gain = it.amplitude_gain();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_longest_delay()) settings.longest_delay = it.longest_delay();
  return settings;
}

compensators::AtsSettings settings_of(const config::AdaptiveTimeSeries& it, double tick) {
  compensators::AtsSettings settings{.tick = tick,
                                     .expected_delay = plural(it.expected_delay(), kNone)};
  const auto range =
      [](bool given,
         const config::Range& bounds) -> std::optional<compensators::AtsSettings::Range> {
    if (!given) return std::nullopt;
    return compensators::AtsSettings::Range{bounds.lowest(), bounds.highest()};
  };
  if (it.has_memory()) settings.memory = it.memory();
  if (it.has_window()) settings.window = it.window();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  settings.a0 = range(it.has_a0(), it.a0());
  settings.a1 = range(it.has_a1(), it.a1());
  settings.a2 = range(it.has_a2(), it.a2());
  settings.differences = it.differences();
  return settings;
}

/// As they were given, or as expand_presets() has written them.
compensators::SeriesCoefficientsPerActuator coefficients_of(
    const config::SeriesStart& start, const std::string& path) {
  if (start.coefficients().empty())
    throw SettingError(path,
                       "gives a rule, which only a whole test can follow; give "
                       "coefficients: [[a0, a1, a2]]");
  std::vector<compensators::SeriesCoefficients> rows;
  for (const config::Row& row : start.coefficients()) {
    if (row.values_size() != 3)
      throw SettingError(path + ".coefficients[" + std::to_string(rows.size()) + "]",
                         "has " + std::to_string(row.values_size()) +
                             " values; give three: a0, a1 [s], a2 [s2]");
    rows.push_back({row.values(0), row.values(1), row.values(2)});
  }
  return compensators::SeriesCoefficientsPerActuator(std::move(rows));
}

compensators::WindowedAtsSettings windowed_settings_of(const config::AdaptiveTimeSeries& it,
                                                       double tick,
                                                       const std::string& path) {
  constexpr double kWindow = 1024.0;  // [ticks]
  compensators::WindowedAtsSettings settings{.tick = tick, .window = kWindow * tick};
  settings.initial = coefficients_of(it.initial(), path + ".initial");
  const auto take = [](bool given, const config::Range& bounds,
                       compensators::WindowedAtsSettings::Range& range) {
    if (given) range = {bounds.lowest(), bounds.highest()};
  };
  const auto take_values = [](bool given, const config::SeriesValues& values,
                              compensators::SeriesCoefficients& setting) {
    if (given) setting = {values.a0(), values.a1(), values.a2()};
  };
  if (it.has_window()) settings.window = it.window();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  if (it.has_target_filter()) settings.target_filter = filter_of(it.target_filter());
  if (it.has_decimation()) settings.decimation = static_cast<int>(it.decimation());
  if (it.has_first_rows()) settings.first_rows = static_cast<int>(it.first_rows());
  if (it.has_ridge()) settings.ridge = it.ridge();
  take(it.has_a0(), it.a0(), settings.a0);
  take(it.has_a1(), it.a1(), settings.a1);
  take(it.has_a2(), it.a2(), settings.a2);
  take_values(it.has_scale(), it.scale(), settings.scale);
  take_values(it.has_rate(), it.rate(), settings.rate);
  return settings;
}

/// Two forms of one method: from coefficients, or around a delay.
std::unique_ptr<Compensator> make_ats(const config::AdaptiveTimeSeries& it, int actuators,
                                      double tick, const std::string& path) {
  if (!it.has_initial()) {
    if (it.expected_delay().empty())
      throw SettingError(path,
                         "gives no start; give expected_delay, or initial, or the site a "
                         "transfer_system to fit it from");
    return make_below<Compensator, compensators::AtsCompensator>(
        actuators, settings_of(it, tick), path);
  }
  for (const auto& [given, field] :
       {std::pair{!it.expected_delay().empty(), ".expected_delay"},
        std::pair{it.has_memory(), ".memory"}, std::pair{it.differences(), ".differences"}})
    if (given)
      throw SettingError(path + field, "stands beside initial; one of the two goes");
  return make_below<Compensator, compensators::WindowedAts>(
      actuators, windowed_settings_of(it, tick, path), path);
}

compensators::NarxSettings settings_of(const config::Narx& it, double tick,
                                       const std::string& path) {
  compensators::NarxSettings settings{
      .tick = tick,
      .order = static_cast<int>(it.order()),
      .window = static_cast<int>(std::min(it.window(), 1U << 30)),
      .ridge = it.ridge(),
      .initial_delay = plural(it.initial_delay(), kNone),
      .linear_taps = static_cast<int>(it.order()) + 1};
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_linear_taps()) settings.linear_taps = static_cast<int>(it.linear_taps());
  settings.freeze_below_excitation_floor = it.rest_in_silence();
  settings.terms = {it.terms().begin(), it.terms().end()};
  for (const auto& [given, field] : {std::pair{it.has_linear_taps(), ".linear_taps"},
                                     std::pair{!it.products().empty(), ".products"}})
    if (given && !it.terms().empty())
      throw SettingError(
          path + field,
          "stands beside terms, which lists all regressors; give one of them");
  for (const config::TapProduct& product : it.products()) {
    compensators::NarxSettings::Product& factors = settings.products.emplace_back();
    for (const config::TapFactor& factor : product.factors()) {
      if (factor.has_power() && factor.has_signed_power())
        throw SettingError(
            path + ".products[" + std::to_string(settings.products.size() - 1) +
                "].factors[" + std::to_string(factors.size()) + "].signed_power",
            "stands beside power; give one of them: power loses the sign of the tap, "
            "signed_power keeps it");
      factors.push_back({.tap = static_cast<int>(factor.tap()),
                         .power = factor.has_signed_power() ? factor.signed_power()
                                  : factor.has_power()      ? factor.power()
                                                            : 1.0,
                         .keeps_sign = factor.has_signed_power()});
    }
  }
  return settings;
}

template <typename Message>
compensators::RlsInitialStates starts_of(const Message& it, int taps,
                                         const std::string& path) {
  compensators::RlsInitialStates starts{.initial_delay = plural(it.initial_delay(), kNone)};
  if (it.has_initial_covariance()) starts.initial_covariance = it.initial_covariance();
  if (it.start_size() > 0 && it.initial_delay_size() > 0)
    throw SettingError(path + ".initial_delay", "stands beside start; give one of the two");
  for (int i = 0; i < it.start_size(); ++i) {
    const config::RecursionStart& start = it.start(i);
    compensators::RlsInitialState& given = starts.given.emplace_back();
    given.coefficients = Eigen::Map<const Eigen::VectorXd>(start.coefficients().data(),
                                                           start.coefficients_size());
    given.covariance =
        start.has_covariance()
            ? make_matrix(start.covariance(), taps, taps,
                          path + ".start[" + std::to_string(i) + "].covariance")
            : Eigen::MatrixXd(starts.initial_covariance *
                              Eigen::MatrixXd::Identity(taps, taps));
  }
  return starts;
}

compensators::AdaptiveFirSettings settings_of(const config::AdaptiveFir& it, double tick,
                                              const std::string& path) {
  compensators::AdaptiveFirSettings settings{.tick = tick};
  if (it.has_taps()) settings.taps = static_cast<int>(it.taps());
  if (it.has_forgetting()) settings.forgetting = it.forgetting();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  settings.start = starts_of(it, settings.taps, path);
  settings.excitation_floor = it.has_excitation_floor()      ? it.excitation_floor()
                              : settings.start.given.empty() ? kFirFloor
                                                             : 0.0;
  return settings;
}

compensators::AdaptiveDiscreteModelSettings settings_of(
    const config::AdaptiveDiscreteModel& it, double tick, const std::string& path) {
  if (it.has_warm_start())
    throw SettingError(path + ".warm_start",
                       "the record of a warm start is read where the test is started; this "
                       "site cannot see it");
  compensators::AdaptiveDiscreteModelSettings settings{.tick = tick};
  settings.command_taps = static_cast<int>(it.command_taps());
  if (it.has_target_taps()) settings.target_taps = static_cast<int>(it.target_taps());
  if (it.has_forgetting()) settings.forgetting = it.forgetting();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  settings.start = starts_of(it, settings.command_taps + settings.target_taps, path);
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  return settings;
}

compensators::KalmanInverseSettings settings_of(const config::KalmanInverse& it,
                                                double tick, const std::string& path) {
  if (it.expected_delay().empty() == !it.has_initial())
    throw SettingError(path, it.has_initial()
                                 ? "has initial beside expected_delay; give one of the two"
                                 : "gives no start; give expected_delay, or initial");
  compensators::KalmanInverseSettings settings{
      .tick = tick,
      .form = it.form() == config::EXTENDED
                  ? compensators::KalmanInverseSettings::Form::kExtended
                  : compensators::KalmanInverseSettings::Form::kUnscented,
      .expected_delay = plural(it.expected_delay(), kNone)};
  if (it.has_initial()) settings.initial = coefficients_of(it.initial(), path + ".initial");
  if (it.has_spread())
    settings.spread = {it.spread().a0(), it.spread().a1(), it.spread().a2()};
  if (it.has_drift()) settings.drift = it.drift();
  if (it.has_disturbance()) settings.disturbance = it.disturbance();
  if (it.has_sensor_noise()) settings.sensor_noise = it.sensor_noise();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_a0()) settings.a0 = {it.a0().lowest(), it.a0().highest()};
  if (it.has_a1()) settings.a1 = {it.a1().lowest(), it.a1().highest()};
  if (it.has_a2()) settings.a2 = {it.a2().lowest(), it.a2().highest()};
  return settings;
}

compensators::ConditionalAtsSettings settings_of(const config::ConditionalTimeSeries& it,
                                                 double tick, const std::string& path) {
  if (it.expected_delay().empty() == !it.has_initial())
    throw SettingError(path, it.has_initial()
                                 ? "has initial beside expected_delay; give one of the two"
                                 : "gives no start; give expected_delay, or initial");
  compensators::ConditionalAtsSettings settings{
      .tick = tick, .expected_delay = plural(it.expected_delay(), kNone)};
  if (it.has_initial()) settings.initial = coefficients_of(it.initial(), path + ".initial");
  if (it.has_spread())
    settings.spread = {it.spread().a0(), it.spread().a1(), it.spread().a2()};
  if (it.has_memory()) settings.memory = it.memory();
  if (it.has_decimation())
    settings.decimation = static_cast<int>(std::min(it.decimation(), 1U << 30));
  if (it.has_residual()) settings.residual = it.residual();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  if (it.has_a0()) settings.a0 = {it.a0().lowest(), it.a0().highest()};
  if (it.has_a1()) settings.a1 = {it.a1().lowest(), it.a1().highest()};
  if (it.has_a2()) settings.a2 = {it.a2().lowest(), it.a2().highest()};
  if (it.has_rate()) settings.rate = {it.rate().a0(), it.rate().a1(), it.rate().a2()};
  return settings;
}

compensators::AdaptiveDiscreteFeedforwardSettings settings_of(
    const config::AdaptiveDiscreteFeedforward& it, double tick) {
  compensators::AdaptiveDiscreteFeedforwardSettings settings{
      .tick = tick, .initial_delay = plural(it.initial_delay(), kNone)};
  if (it.has_taps()) settings.taps = static_cast<int>(it.taps());
  if (it.has_spacing()) settings.spacing = it.spacing();
  settings.own_target_only = it.own_target_only();
  if (it.has_memory()) settings.memory = it.memory();
  if (it.has_filter()) settings.filter = filter_of(it.filter());
  if (it.has_residual()) settings.residual = it.residual();
  if (it.has_spread()) settings.spread = it.spread();
  if (it.has_excitation_floor()) settings.excitation_floor = it.excitation_floor();
  return settings;
}

compensators::PredictiveControlSettings settings_of(const config::PredictiveControl& it,
                                                    int actuators, double tick,
                                                    const std::string& path) {
  if (!it.has_plant())
    throw SettingError(path + ".plant",
                       "is missing, and only a whole test takes it from the site's "
                       "transfer_system; give plant: {model, process_noise}");
  const bool limited = it.stroke_size() > 0 || it.rate_size() > 0;
  if (it.has_iterations() && !limited)
    throw SettingError(path + ".iterations",
                       "are needed under limits alone; give stroke or rate, or leave "
                       "iterations out");
  compensators::PredictiveControlSettings settings{
      .tick = tick, .plant = make_observed_plant(it.plant(), actuators, path + ".plant")};
  if (it.has_drift()) settings.drift = it.drift();
  if (it.has_horizon()) settings.horizon = it.horizon();
  if (it.has_moves()) settings.moves = static_cast<int>(it.moves());
  if (it.has_change_weight()) settings.change_weight = it.change_weight();
  if (it.stroke_size() > 0) settings.stroke = plural(it.stroke(), kNone);
  if (it.rate_size() > 0) settings.rate = plural(it.rate(), kNone);
  if (it.has_iterations()) settings.iterations = static_cast<int>(it.iterations());
  return settings;
}

/// Adaptive time series, in windows or with the conditions on its coefficients.
std::unique_ptr<Compensator> make_time_series(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path) {
  if (message.has_ats()) return make_ats(message.ats(), actuators, tick, path + ".ats");
  return make_below<Compensator, compensators::ConditionalAts>(
      actuators, settings_of(message.conditional_ats(), tick, path + ".conditional_ats"),
      path + ".conditional_ats");
}

}  // namespace

std::unique_ptr<Compensator> make_compensator(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path) {
  switch (message.kind_case()) {
    case config::Compensator::kPolynomial:
      return make_below<Compensator, compensators::PolynomialExtrapolation>(
          actuators, settings_of(message.polynomial(), tick), path + ".polynomial");
    case config::Compensator::kAts:
    case config::Compensator::kConditionalAts:
      return make_time_series(message, actuators, tick, path);
    case config::Compensator::kInverse:
      return make_below<Compensator, compensators::InverseCompensation>(
          actuators, settings_of(message.inverse(), tick), path + ".inverse");
    case config::Compensator::kAdaptivePolynomial:
      return make_below<Compensator, compensators::AdaptivePolynomial>(
          actuators, settings_of(message.adaptive_polynomial(), tick),
          path + ".adaptive_polynomial");
    case config::Compensator::kNarx:
      return make_below<Compensator, compensators::NarxCompensator>(
          actuators, settings_of(message.narx(), tick, path + ".narx"), path + ".narx");
    case config::Compensator::kAdaptiveFir:
      return make_below<Compensator, compensators::AdaptiveFir>(
          actuators, settings_of(message.adaptive_fir(), tick, path + ".adaptive_fir"),
          path + ".adaptive_fir");
    case config::Compensator::kAdm:
      return make_below<Compensator, compensators::AdaptiveDiscreteModel>(
          actuators, settings_of(message.adm(), tick, path + ".adm"), path + ".adm");
    case config::Compensator::kKalman:
      return make_below<Compensator, compensators::KalmanInverse>(
          actuators, settings_of(message.kalman(), tick, path + ".kalman"),
          path + ".kalman");
    case config::Compensator::kAdfc:
      return make_below<Compensator, compensators::AdaptiveDiscreteFeedforward>(
          actuators, settings_of(message.adfc(), tick), path + ".adfc");
    case config::Compensator::kMpc:
      return make_below<Compensator, compensators::PredictiveControl>(
          actuators, settings_of(message.mpc(), actuators, tick, path + ".mpc"),
          path + ".mpc");
    case config::Compensator::kFixedInverse:
      return make_below<Compensator, compensators::FixedInverse>(
          actuators,
          coefficients_of(message.fixed_inverse().coefficients(),
                          path + ".fixed_inverse.coefficients"),
          path + ".fixed_inverse");
    case config::Compensator::kLqg:
    case config::Compensator::kAtsLqg:
    case config::Compensator::kLegacyFilteredCommand:
      throw SettingError(path, "is a preset, which only a whole test can write out");
    case config::Compensator::kNone:
    case config::Compensator::KIND_NOT_SET:
      break;
  }
  return std::make_unique<compensators::NoCompensator>();
}

std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                              double tick, const std::string& path) {
  return make_compensator(parsed<config::Compensator>(bytes, path), actuators, tick, path);
}

}  // namespace trestle::composition
