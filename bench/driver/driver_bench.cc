// driver_bench [TICKS] [CPU] [ROUNDS]: read + write of a plug-in in this process, in a
// driver process, and two raw futex exchanges between two processes, alternately in one
// run. Site and driver are on one CPU (default 0; negative: any). Then the medians over
// the rounds: what the driver costs over this process, as a ratio to two raw exchanges,
// and one exchange.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "adapters/driver/driver_proxy.h"
#include "adapters/plugin/monotonic_ns.h"
#include "adapters/plugin/plugin_rig.h"
#include "bench/driver/ping_pong.h"
#include "core/host/realtime_scheduling.h"

namespace {

using namespace trestle;

class BenchClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    return TimePoint{Duration{plugin::monotonic_ns()}};
  }
  void advance_to(TimePoint /*until*/) noexcept override {}
};

std::unique_ptr<plugin::PluginRig> make_rig(bool behind, int cpu) {
  plugin::PluginRigSettings settings;
  settings.file = std::string(TRESTLE_TEST_PLUGINS) + "/misbehaving.so";
  if (!behind)
    return std::make_unique<plugin::PluginRig>(settings, std::make_unique<BenchClock>(),
                                               "here");
  driver::DriverSettings of_driver;
  of_driver.file = settings.file;
  of_driver.folder = std::filesystem::temp_directory_path() / "trestle-driver-bench";
  of_driver.cpu = cpu;
  return std::make_unique<plugin::PluginRig>(
      settings, std::make_unique<driver::DriverProxy>(of_driver, "driver"),
      std::make_unique<BenchClock>(), "driver");
}

void tick(plugin::PluginRig& rig, int n) {
  Measurement sensed = Measurement::zero(1);
  rig.read(TimePoint{std::chrono::milliseconds(n)}, sensed);
  rig.write(ActuatorVector::Constant(1, 1e-6 * n));
}

/// [us] Sorts them.
double at(std::vector<std::int64_t>& spent, double share) {
  std::sort(spent.begin(), spent.end());
  return 1e-3 * static_cast<double>(spent[static_cast<std::size_t>(
                    share * static_cast<double>(spent.size() - 1))]);
}

void print(const char* name, std::vector<std::int64_t>& spent) {
  std::printf("%-28s p50 %8.2f us   p99 %8.2f us   largest %8.2f us\n", name,
              at(spent, 0.5), at(spent, 0.99), at(spent, 1.0));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// What one round found: p50 [us].
struct Round {
  double over;   // of the driver over this process
  double ratio;  // of that to two raw exchanges
  double raw;    // of one exchange
};

Round measure(int ticks, plugin::PluginRig& here, plugin::PluginRig& behind,
              driver_bench::PingPong& raw) {
  std::array<std::vector<std::int64_t>, 3> spent;
  for (int n = 0; n < ticks; ++n) {
    const std::int64_t begun = plugin::monotonic_ns();
    tick(here, n);
    const std::int64_t in_process = plugin::monotonic_ns();
    tick(behind, n);
    const std::int64_t in_driver = plugin::monotonic_ns();
    raw.exchange();
    raw.exchange();
    spent[0].push_back(in_process - begun);
    spent[1].push_back(in_driver - in_process);
    spent[2].push_back(plugin::monotonic_ns() - in_driver);
  }
  print("in this process", spent[0]);
  print("in a driver process", spent[1]);
  print("two raw futex exchanges", spent[2]);
  const double over = at(spent[1], 0.5) - at(spent[0], 0.5);
  const double two = at(spent[2], 0.5);
  return {over, over / two, two / 2.0};
}

}  // namespace

int main(int argc, char** argv) {
  const int ticks = argc > 1 ? std::atoi(argv[1]) : 20000;
  const int cpu = argc > 2 ? std::atoi(argv[2]) : 0;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  if (cpu >= 0) host::pin_to_cpu(cpu);
  driver_bench::PingPong raw(cpu);
  const auto here = make_rig(false, cpu);
  const auto behind = make_rig(true, cpu);
  here->prepare({1e-3, 1});
  behind->prepare({1e-3, 1});
  std::vector<double> over;
  std::vector<double> ratio;
  std::vector<double> one;
  for (int n = 0; n < rounds; ++n) {
    const Round round = measure(ticks, *here, *behind, raw);
    over.push_back(round.over);
    ratio.push_back(round.ratio);
    one.push_back(round.raw);
  }
  std::printf(
      "over this process %.2f us, against two raw exchanges %.2f; one exchange %.2f us\n",
      median(over), median(ratio), median(one));
  return 0;
}
