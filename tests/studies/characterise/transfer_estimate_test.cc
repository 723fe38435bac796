#include "studies/characterise/transfer_estimate.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <numbers>

#include "adapters/simulated/delayed_actuator.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/pure_delay.h"
#include "core/linear/zeros_poles_gain.h"
#include "tests/studies/characterise/response_bench.h"

namespace trestle {
namespace {

struct Truth {
  const char* name;
  std::function<std::unique_ptr<ActuatorModel>()> make;
  double delay;
  double gain;
};

const std::vector<Truth>& truths() {
  using std::make_unique;
  static const std::vector<Truth> all{
      {"ideal", [] { return make_unique<PureDelay>(PureDelaySettings{}); }, 0.0, 1.0},
      {"delay", [] { return make_unique<PureDelay>(PureDelaySettings{.delay = 0.012}); },
       0.012, 1.0},
      {"first", [] { return make_unique<LinearActuators>(first_order_lag(10.0, 0.95)); },
       0.0, 0.95},
      {"second",
       [] { return make_unique<LinearActuators>(second_order_lag(18.0, 0.7, 1.0)); }, 0.0,
       1.0},
      {"third",
       [] {
         return make_unique<LinearActuators>(realise(
             {{{-150.0, 0.0}}, {{-60.0, 80.0}, {-60.0, -80.0}, {-40.0, 0.0}}, 2500.0},
             "zpk"));
       },
       0.0, 2500.0 * 150.0 / (10000.0 * 40.0)},
      {"delay and second",
       [] {
         return make_unique<DelayedActuator>(0.0075, second_order_lag(18.0, 0.7, 0.9));
       },
       0.0075, 0.9}};
  return all;
}

TEST(TransferEstimate, Look) {
  for (const Truth& truth : truths()) { if (std::string(truth.name) == "delay" || std::string(truth.name)=="second") continue;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const auto model = truth.make();
      const TransferEstimate found = estimate_transfer(lines_of(*model, 0.002, seed), {});
      std::printf(
          "%s: order %d zeros %zu delay %.4f ± %.4f ms (%.2f) gain %.6f ± %.6f (%.2f) "
          "worst %.2e fit %.3f coh %.5f slow %.3f corner %.2f\n",
          truth.name, found.transfer.order(), found.zeros.size(),
          found.transfer.delay * 1e3, found.delay_deviation * 1e3,
          (found.transfer.delay - truth.delay) / found.delay_deviation, found.transfer.gain,
          found.gain_deviation, (found.transfer.gain - truth.gain) / found.gain_deviation,
          found.worst_deviation, found.fit_error, found.lowest_coherence,
          found.slow_delay * 1e3, found.corner);
    }
  }
}

}  // namespace
}  // namespace trestle
