// A test in real time at 1024 Hz with two site servers on loopback, beside what the machine
// gives at best, interleaved in one run: the raw timer as a control thread sleeps, and raw
// ZeroMQ paced alike with the same bytes. Decide on the ratios of the medians, never on a
// time or a tail.
//
//   real_time_bench EXAMPLES [--json] [--rounds N] [--seconds S]
//
// EXAMPLES: the folder examples/two_site_frame.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/real_time/raw_exchange.h"
#include "core/bus/message_codec.h"
#include "core/host/timer_latency.h"

namespace trestle::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string examples;
  bool json = false;
  int rounds = 3;
  double seconds = 4.0;
};

/// One round [us].
struct Round {
  double timer_p50 = 0.0, timer_p99 = 0.0;
  double wakeup_latency_p50 = 0.0, wakeup_latency_p99 = 0.0;  // the worse of the two sites
  double raw_p50 = 0.0, raw_p99 = 0.0;
  double exchange_p50 = 0.0, exchange_p99 = 0.0;
  double clock_bound = 0.0;
  std::int64_t misses = 0;
  std::int64_t steps = 0;
};

double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const auto rank =
      static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1));
  return values[rank];
}

pid_t start(const std::vector<std::string>& words) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (std::freopen("/dev/null", "w", stdout) == nullptr) std::_Exit(126);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) std::_Exit(126);
  execv(TRESTLE_PROGRAM, arguments.data());
  std::_Exit(127);
}

/// The summary of a test in real time, its sites two more processes, over tcp.
Json run_test(const Options& options, const std::string& folder) {
  const std::string& examples = options.examples;
  const std::string out = folder + "/run";
  std::filesystem::remove_all(out);
  const auto address = [&](const char* site) {
    return "tcp://127.0.0.1:" +
           std::to_string(20000 + (getpid() + (*site == 'w' ? 0 : 1)) % 20000);
  };
  std::vector<pid_t> sites;
  for (const char* site : {"west", "east"})
    sites.push_back(
        start({"trestle", "site", examples + "/site_" + site + ".yaml", "--once", "--out",
               folder + "/" + site, "--set", std::string("listen=") + address(site)}));
  const pid_t run =
      start({"trestle", "run", examples + "/distributed.yaml", "--out", out, "--set",
             "mode=real-time", "--set",
             "excitation.synthetic.duration=" + std::to_string(options.seconds), "--set",
             std::string("sites.west.address=") + address("west"), "--set",
             std::string("sites.east.address=") + address("east"), "--set",
             "real_time.most_in_window=1000", "--set", "real_time.most_in_a_row=50"});
  waitpid(run, nullptr, 0);
  for (const pid_t site : sites) waitpid(site, nullptr, 0);
  std::ifstream file(out + "/summary.json");
  return file ? Json::parse(file) : Json::object();
}

Round measure(const Options& options, const std::string& folder) {
  Round round;
  const auto timer =
      host::measure_timer({.length = std::chrono::seconds(2), .priority = 80});
  if (timer) {
    round.timer_p50 = static_cast<double>(timer.value().p50.count()) * 1e-3;
    round.timer_p99 = static_cast<double>(timer.value().p99.count()) * 1e-3;
  }
  StepCommand command;
  command.target = InterfaceMotion::zero(2);
  StepResponse response;
  response.measured = response.force = InterfaceVector::Ones(2);
  const ActuatorVector two = ActuatorVector::Ones(2);
  response.actuators = {two, two, two, two};
  bus::MessageCodec codec;
  RawExchange raw;
  // Both with stamps, as they travel in a test: fifty bytes each way.
  raw.bytes_out = codec.encode(command).size() + 50;
  raw.bytes_back = codec.encode(response).size() + 70;
  const std::vector<double> floor = measure_raw_exchange(raw);
  round.raw_p50 = quantile(floor, 0.5);
  round.raw_p99 = quantile(floor, 0.99);

  const Json summary = run_test(options, folder);
  round.steps = summary.value("steps_done", std::int64_t{0});
  for (const Json& site : summary.value("sites", Json::array())) {
    const Json& loop = site["control_loop"];
    const auto worse = [](double& worst, double found) {
      worst = std::max(worst, found * 1e6);
    };
    worse(round.wakeup_latency_p50, loop["wake_p50_s"]);
    worse(round.wakeup_latency_p99, loop["wake_p99_s"]);
    worse(round.exchange_p50, site["exchange_p50_s"]);
    worse(round.exchange_p99, site["exchange_p99_s"]);
    worse(round.clock_bound, site["clock_bound_s"]);
    round.misses += site["misses"].get<std::int64_t>();
  }
  return round;
}

double median(const std::vector<Round>& rounds, double (*of)(const Round&)) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(of(round));
  return quantile(values, 0.5);
}

void print(const std::vector<Round>& rounds, const Options& options) {
  const auto of = [&](double Round::*member) {
    std::vector<double> values;
    for (const Round& round : rounds) values.push_back(round.*member);
    return quantile(values, 0.5);
  };
  const double wake =
      median(rounds, [](const Round& r) { return r.wakeup_latency_p50 / r.timer_p50; });
  const double exchange =
      median(rounds, [](const Round& r) { return r.exchange_p50 / r.raw_p50; });
  std::int64_t misses = 0, steps = 0;
  for (const Round& round : rounds) {
    misses += round.misses;
    steps += round.steps;
  }
  if (options.json) {
    std::printf("%s\n", Json{{"rounds", rounds.size()},
                             {"timer_p50_us", of(&Round::timer_p50)},
                             {"wake_p50_us", of(&Round::wakeup_latency_p50)},
                             {"wake_ratio", wake},
                             {"raw_p50_us", of(&Round::raw_p50)},
                             {"exchange_p50_us", of(&Round::exchange_p50)},
                             {"exchange_ratio", exchange},
                             {"clock_bound_us", of(&Round::clock_bound)},
                             {"steps", steps},
                             {"misses", misses}}
                            .dump(2)
                            .c_str());
    return;
  }
  std::printf("1024 Hz, two sites on loopback, not pinned, %zu rounds; medians [us]\n",
              rounds.size());
  std::printf("%-34s %10s %10s %8s\n", "", "p50", "p99", "ratio");
  std::printf("%-34s %10.1f %10.1f\n", "raw timer, SCHED_FIFO", of(&Round::timer_p50),
              of(&Round::timer_p99));
  std::printf("%-34s %10.1f %10.1f %8.2f\n", "control tick, lateness",
              of(&Round::wakeup_latency_p50), of(&Round::wakeup_latency_p99), wake);
  std::printf("%-34s %10.1f %10.1f\n", "raw DEALER/ROUTER, same bytes", of(&Round::raw_p50),
              of(&Round::raw_p99));
  std::printf("%-34s %10.1f %10.1f %8.2f\n", "step, less wait and actuation",
              of(&Round::exchange_p50), of(&Round::exchange_p99), exchange);
  std::printf("clock bound %.1f us; %lld answers missed in %lld steps of two sites\n",
              of(&Round::clock_bound), static_cast<long long>(misses),
              static_cast<long long>(steps));
}

int bench(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--json")
      options.json = true;
    else if (word == "--rounds" && more)
      options.rounds = std::max(std::atoi(argv[++i]), 1);
    else if (word == "--seconds" && more)
      options.seconds = std::atof(argv[++i]);
    else
      options.examples = word;
  }
  if (options.examples.empty()) {
    std::fprintf(stderr,
                 "usage: real_time_bench EXAMPLES [--json] [--rounds N] [--seconds S]\n");
    return 2;
  }
  std::string folder = std::filesystem::temp_directory_path() / "trestle_rt_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 1;
  std::vector<Round> rounds;
  for (int i = 0; i < options.rounds; ++i) rounds.push_back(measure(options, folder));
  print(rounds, options);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace trestle::bench

int main(int argc, char** argv) {
  return trestle::bench::bench(argc, argv);
}
