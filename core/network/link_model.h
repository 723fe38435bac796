#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/time.h"
#include "core/network/link_settings.h"
#include "core/network/outage_schedule.h"

namespace trestle::network {

enum class LinkDirection : std::uint8_t { kToSite, kToIntegrator };

/// One direction of a network as a TCP connection over it sees it: which message arrives
/// when.
///
/// A message waits until those before it are sent off (bandwidth), travels (delay and
/// jitter, or the trace), comes a round trip and 200 ms later where it was lost once
/// (RFC 6298 with the minimum that Linux uses), never overtakes its predecessor, and waits
/// for the end of a stall. An outage loses what is sent in it and what has not arrived when
/// it begins; behind it the line is empty.
///
/// A function of settings, direction, number of the message and time of sending; stalls and
/// outages are those of both directions at once. Allocates nothing once it is made.
class LinkModel {
 public:
  LinkModel(const LinkSettings& settings, LinkDirection direction);

  struct Delivery {
    TimePoint delivered = TimePoint::max();  ///< never, where it is lost
    bool lost = false;                       ///< and with it the connection
  };

  /// The next message. @pre `sent` is not before that of any call before
  Delivery delivery(TimePoint sent, std::size_t bytes) noexcept;

  /// The outage going on, or else the next one. @pre as of delivery()
  const Outage& outage(TimePoint now) noexcept { return outages_.next_at(now); }
  bool down(TimePoint now) noexcept { return outage(now).begin <= now; }

 private:
  TimePoint transmission_end(TimePoint sent, std::size_t bytes) noexcept;
  Duration travel(TimePoint start, std::uint64_t number) const noexcept;
  RandomKey place(std::uint64_t channel, std::uint64_t number) const noexcept;

  LinkSettings settings_;
  LinkDirection direction_;
  OutageSchedule stalls_;
  OutageSchedule outages_;
  std::uint64_t count_ = 0;
  TimePoint busy_until_{};                   // by what was sent already
  TimePoint last_{};                         // when the message before arrives
  TimePoint outage_end_ = TimePoint::max();  // end of the outage that took a message
};

}  // namespace trestle::network
