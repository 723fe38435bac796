#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/link_verbs.h"
#include "cli/signals.h"
#include "composition/hybrid_test/relay_factory.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "gateway/network_emulator/network_emulator.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenStatus(5);

/// Lines on stderr, each with the seconds since the links' time began.
class LinkLog {
 public:
  void begin() { zero_ = Steady::now(); }

  void say(const std::string& name, const std::string& what) const {
    std::fprintf(stderr, "%9.3f s  %s: %s\n", seconds(), name.c_str(), what.c_str());
  }

  void show(const RelayStatus& status) const {
    const auto way = [](const char* to, const DirectionStatistics& count) {
      return std::string(to) + " " + std::to_string(count.messages) + " messages, " +
             std::to_string(count.bytes) + " bytes";
    };
    std::string line = std::to_string(status.connections) +
                       (status.connections == 1 ? " connection" : " connections") +
                       (status.down ? ", outage" : "") + "; " + way("out", status.out) +
                       "; " + way("back", status.back);
    const std::uint64_t lost = status.out.lost + status.back.lost;
    if (lost > 0) line += "; lost " + std::to_string(lost);
    const Duration latest = std::max(status.out.latest, status.back.latest);
    line += "; at most " + std::to_string(latest / std::chrono::microseconds(1)) +
            " us after the model's time";
    say(status.name, line);
  }

  double seconds() const {
    return std::chrono::duration<double>(Steady::now() - zero_).count();
  }

 private:
  Steady::time_point zero_ = Steady::now();
};

void show_all(const LinkLog& log, const NetworkEmulator& relay) {
  for (const RelayStatus& status : relay.status()) log.show(status);
}

std::unique_ptr<NetworkEmulator> set_up_relay(const LinkOptions& options,
                                              const LinkLog& log) {
  config::LinkFile file;
  SourceMap where;
  read_yaml(options.file, options.overrides, file, where);
  std::unique_ptr<NetworkEmulator> relay;
  ConfigErrorCollector problems(where);
  problems.attempt([&] {
    relay = std::make_unique<NetworkEmulator>(
        make_relays(file),
        [&log](const std::string& name, const std::string& what) { log.say(name, what); });
  });
  problems.throw_if_any();
  return relay;
}

}  // namespace

int link_relay(const LinkOptions& options) {
  LinkLog log;
  const std::unique_ptr<NetworkEmulator> relay = set_up_relay(options, log);
  const StopSignals signals(nullptr, nullptr);
  log.begin();
  for (const RelayStatus& status : relay->status())
    log.say(status.name, "listens at " + status.listens_at + " for " + status.to);
  Steady::time_point next = Steady::now() + kBetweenStatus;
  relay->run([&] {
    if (StopSignals::asked()) return false;
    if (options.duration && log.seconds() >= *options.duration) return false;
    if (Steady::now() < next) return true;
    next += kBetweenStatus;
    show_all(log, *relay);
    return true;
  });
  show_all(log, *relay);
  return kExitComplete;
}

}  // namespace trestle
