#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "composition/hybrid_test/relay_factory.h"
#include "composition/processes/stop_signals.h"
#include "gateway/network_emulator/network_emulator.h"

namespace trestle::cli {
namespace {

struct LinkOptions {
  std::string file;                    ///< LINK.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::optional<double> duration;      ///< ends by itself after so long [s]
};

using Steady = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenStatus(5);

/// Lines on stderr, each with the seconds since the links' time began.
class LinkLog {
 public:
  void begin() { zero_ = Steady::now(); }

  void say(const std::string& name, const std::string& what) const {
    std::fprintf(stderr, "%9.3f s  %s: %s\n", seconds(), name.c_str(), what.c_str());
  }

  void show(const network_emulator::RelayStatus& status) const {
    const auto way = [](const char* to,
                        const network_emulator::DirectionStatistics& count) {
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

void show_all(const LinkLog& log, const network_emulator::NetworkEmulator& relay) {
  for (const network_emulator::RelayStatus& status : relay.status()) log.show(status);
}

int link_relay(const LinkOptions& options) {
  LinkLog log;
  const std::unique_ptr<network_emulator::NetworkEmulator> relay =
      composition::load_network_emulator(
          options.file, options.overrides,
          [&log](const std::string& name, const std::string& what) {
            log.say(name, what);
          });
  const composition::StopSignals signals(nullptr, nullptr);
  log.begin();
  for (const network_emulator::RelayStatus& status : relay->status())
    log.say(status.name, "listens at " + status.listens_at + " for " + status.to);
  Steady::time_point next = Steady::now() + kBetweenStatus;
  relay->run([&] {
    if (composition::StopSignals::asked()) return false;
    if (options.duration && log.seconds() >= *options.duration) return false;
    if (Steady::now() < next) return true;
    next += kBetweenStatus;
    show_all(log, *relay);
    return true;
  });
  show_all(log, *relay);
  return kExitComplete;
}

}  // namespace

void add_link_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<LinkOptions>();
  CLI::App* const verb = app.add_subcommand(
      "link", "relay between integrator and sites, with the delays of a network");
  verb->add_option("link", options->file, "LINK.yaml")->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--for", options->duration, "seconds; default until Ctrl-C")
      ->check(CLI::PositiveNumber);
  commands.add(verb, [options] { return link_relay(*options); });
}

}  // namespace trestle::cli
