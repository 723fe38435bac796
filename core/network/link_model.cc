#include "core/network/link_model.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/network/delay_trace.h"
#include "core/network/random_durations.h"

namespace trestle::network {
namespace {

constexpr Duration kLeastTimeout = std::chrono::milliseconds(200);  // TCP_RTO_MIN of Linux

// Channels of the link's random numbers; the first two once per direction.
constexpr std::uint64_t kJitter = 0;
constexpr std::uint64_t kLoss = 2;
constexpr std::uint64_t kStalls = 4;
constexpr std::uint64_t kOutages = 5;

}  // namespace

LinkModel::LinkModel(const LinkSettings& settings, LinkDirection direction)
    : settings_(settings),
      direction_(direction),
      stalls_(settings.stalls, {settings.seed, settings.stream, kStalls, 0}),
      outages_(settings.outages, {settings.seed, settings.stream, kOutages, 0}) {}

LinkModel::Delivery LinkModel::delivery(TimePoint sent, std::size_t bytes) noexcept {
  const std::uint64_t number = count_++;
  if (sent >= outage_end_) {
    busy_until_ = last_ = TimePoint{};
    outage_end_ = TimePoint::max();
  }
  const TimePoint start = transmission_end(sent, bytes);
  const TimePoint arrival = std::max(start + travel(start, number), last_);
  const Outage& outage = outages_.next_at(sent);
  // Asked of no time behind an outage: what is sent after it may arrive before that.
  if (outage.begin > arrival) {
    const Outage& stall = stalls_.next_at(arrival);
    last_ = stall.begin <= arrival ? stall.end : arrival;
    if (outage.begin > last_) return {last_, false};
  }
  last_ = std::max(arrival, outage.begin);  // whatever follows on this connection is lost
  outage_end_ = outage.end;
  return {TimePoint::max(), true};
}

TimePoint LinkModel::transmission_end(TimePoint sent, std::size_t bytes) noexcept {
  if (settings_.bandwidth <= 0.0) return sent;
  const double time = static_cast<double>(bytes) * 8.0 / settings_.bandwidth;
  busy_until_ = std::max(sent, busy_until_) + scaled(std::chrono::seconds(1), time);
  return busy_until_;
}

Duration LinkModel::travel(TimePoint start, std::uint64_t number) const noexcept {
  Duration one_way =
      direction_ == LinkDirection::kToSite ? settings_.delay : settings_.return_delay;
  Duration round_trip = settings_.delay + settings_.return_delay;
  if (!settings_.trace.empty()) {
    one_way = interpolate_delay(settings_.trace, start.time_since_epoch());
    round_trip = 2 * one_way;
  }
  if (settings_.jitter > Duration::zero())
    one_way += exponential(settings_.jitter, place(kJitter, number));
  if (settings_.loss > 0.0 && uniform(place(kLoss, number)) < settings_.loss)
    one_way += round_trip + kLeastTimeout;
  return one_way;
}

RandomKey LinkModel::place(std::uint64_t channel, std::uint64_t number) const noexcept {
  const std::uint64_t returning = direction_ == LinkDirection::kToSite ? 0 : 1;
  return {settings_.seed, settings_.stream, channel + returning, number};
}

}  // namespace trestle::network
