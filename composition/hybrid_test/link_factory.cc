#include "composition/hybrid_test/link_factory.h"

#include <chrono>
#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/network/delay_trace.h"
#include "core/network/link_profiles.h"
#include "core/network/random_durations.h"
#include "proto/config/network.pb.h"

namespace trestle::composition {
namespace {

constexpr double kLongestDelay = 3600.0;    // [s]
constexpr double kLongestWait = 3.2e7;      // [s], a year
constexpr double kOftenestPause = 1e-3;     // [s]
constexpr double kLeastBandwidth = 1000.0;  // [bit/s]

network::LinkSettings profile(const std::string& name, const std::string& path) {
  if (name.empty()) return {};
  std::string known;
  for (const network::LinkProfile& candidate : network::link_profiles()) {
    if (candidate.name == name) return candidate.settings;
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  throw SettingError(path + ".profile",
                     "there is no profile `" + name + "`; must be one of " + known);
}

Duration duration(double seconds, double most, const std::string& path) {
  if (!(seconds <= most))
    throw SettingError(path, "is longer than " + std::to_string(std::llround(most)) +
                                 " s; links of that kind carry no test");
  return network::scaled(std::chrono::seconds(1), seconds);
}

network::OutagePattern make_pauses(const config::LinkPause& message,
                                   const std::string& path) {
  if (message.every() < kOftenestPause)
    throw SettingError(path + ".every", "is below 1 ms; make it longer");
  if (message.every() <= message.duration())
    throw SettingError(path + ".duration",
                       "is as long as `every`; a link must work in between");
  network::OutagePattern pauses;
  pauses.every = duration(message.every(), kLongestWait, path + ".every");
  pauses.duration = duration(message.duration(), kLongestDelay, path + ".duration");
  if (message.has_first())
    pauses.first = duration(message.first(), kLongestWait, path + ".first");
  pauses.regular = message.regular();
  return pauses;
}

void take_delays(const config::Link& link, const std::string& path,
                 network::LinkSettings& into) {
  if (link.has_delay())
    into.delay = into.return_delay = duration(link.delay(), kLongestDelay, path + ".delay");
  if (link.has_return_delay())
    into.return_delay =
        duration(link.return_delay(), kLongestDelay, path + ".return_delay");
  if (link.has_jitter())
    into.jitter = duration(link.jitter(), kLongestDelay, path + ".jitter");
}

void take_trace(const config::Link& link, const std::string& path,
                network::LinkSettings& into) {
  if (link.trace().empty()) return;
  if (link.has_delay() || link.has_return_delay() || link.has_jitter())
    throw SettingError(path + ".trace",
                       "says the delay; remove delay, return_delay and jitter, or this");
  const Result<std::vector<network::TracePoint>> trace =
      network::read_delay_trace(link.trace());
  if (!trace) throw SettingError(path + ".trace", trace.error().detail);
  into.trace = trace.value();
  into.delay = into.return_delay = into.jitter = Duration::zero();
}

}  // namespace

network::LinkSettings make_link(const config::Link& link, std::uint64_t seed,
                                std::string_view name, const std::string& path) {
  network::LinkSettings settings = profile(link.profile(), path);
  take_delays(link, path, settings);
  take_trace(link, path, settings);
  if (link.has_bandwidth()) {
    if (link.bandwidth() < kLeastBandwidth)
      throw SettingError(path + ".bandwidth", "is below 1000 bit/s; it is in bit/s");
    settings.bandwidth = link.bandwidth();
  }
  if (link.has_stalls()) settings.stalls = make_pauses(link.stalls(), path + ".stalls");
  if (link.has_outages()) settings.outages = make_pauses(link.outages(), path + ".outages");
  if (link.has_loss()) settings.loss = link.loss();
  settings.seed = link.has_seed() ? link.seed() : seed;
  settings.stream = stream_id("link " + std::string(name));
  return settings;
}

}  // namespace trestle::composition
