#include "core/types/setting_error.h"
#include "proto/config.pb.h"
#include "site-servers/control/ats_compensator.h"
#include "site-servers/control/catalog_parts.h"
#include "site-servers/control/control_catalog.h"
#include "site-servers/control/no_compensator.h"
#include "site-servers/control/polynomial_extrapolation.h"

namespace trestle {
namespace {

constexpr int kDefaultOrder = 3;
constexpr double kDefaultMemory = 1.0;            // [s]
constexpr double kDefaultExcitationFloor = 1e-4;  // [m | rad]

}  // namespace

std::unique_ptr<Compensator> make_compensator(const config::Compensator& message,
                                              int actuators, double tick,
                                              const std::string& path) {
  switch (message.kind_case()) {
    case config::Compensator::kPolynomial: {
      const config::PolynomialExtrapolation& it = message.polynomial();
      const int order = it.has_order() ? static_cast<int>(it.order()) : kDefaultOrder;
      return make_below<Compensator, PolynomialExtrapolation>(
          actuators, PolynomialSettings{.tick = tick, .delay = it.delay(0), .order = order},
          path + ".polynomial");
    }
    case config::Compensator::kAts: {
      const config::AdaptiveTimeSeries& it = message.ats();
      return make_below<Compensator, AtsCompensator>(
          actuators,
          AtsSettings{.tick = tick,
                      .expected_delay = it.expected_delay(0),
                      .memory = it.has_memory() ? it.memory() : kDefaultMemory,
                      .excitation_floor = it.has_excitation_floor()
                                              ? it.excitation_floor()
                                              : kDefaultExcitationFloor},
          path + ".ats");
    }
    case config::Compensator::kNone:
    case config::Compensator::KIND_NOT_SET:
      break;
  }
  return std::make_unique<NoCompensator>();
}

std::unique_ptr<Compensator> make_compensator(std::string_view bytes, int actuators,
                                              double tick, const std::string& path) {
  return make_compensator(parsed<config::Compensator>(bytes, path), actuators, tick, path);
}

}  // namespace trestle
