#include "core/network/link_profiles.h"

#include <array>
#include <chrono>

namespace trestle::network {
namespace {

using namespace std::chrono_literals;

LinkSettings line(Duration delay, Duration jitter, double bandwidth) {
  LinkSettings settings;
  settings.delay = settings.return_delay = delay;
  settings.jitter = jitter;
  settings.bandwidth = bandwidth;
  return settings;
}

/// A 1 s outage once a minute, by chance.
LinkSettings with_outages(LinkSettings settings) {
  settings.outages = {.every = 60s, .duration = 1s, .first = {}, .regular = false};
  return settings;
}

LinkSettings bad_day() {
  LinkSettings settings = with_outages(line(75ms, 15ms, 2e6));
  settings.loss = 0.01;
  settings.stalls = {.every = 20s, .duration = 400ms, .first = {}, .regular = false};
  return settings;
}

}  // namespace

std::span<const LinkProfile> link_profiles() {
  static const std::array<LinkProfile, 4> profiles{{
      {"campus", line(200us, 20us, 1e9)},
      {"continent", line(20ms, 500us, 100e6)},
      {"ocean", with_outages(line(75ms, 2ms, 100e6))},
      {"bad-day", bad_day()},
  }};
  return profiles;
}

}  // namespace trestle::network
