#include "site-servers/compensators/adaptation_filter.h"

#include "core/base/setting_rule.h"

namespace trestle::compensators {

math::LowPass make_low_pass(const AdaptationFilter& filter, double tick) {
  constexpr int kHighestOrder = 8;
  if (filter.frequency == 0.0) return {};
  require(filter.frequency > 0.0 && filter.frequency * tick < 0.5, "filter.frequency",
          filter.frequency,
          "must be above zero and below half the rate of control ticks, " +
              std::to_string(0.5 / tick) + " Hz");
  require(filter.order >= 1 && filter.order <= kHighestOrder, "filter.order", filter.order,
          "must be from 1 to " + std::to_string(kHighestOrder));
  return {filter.order, filter.frequency, tick};
}

}  // namespace trestle::compensators
