// What one step's exchange costs: command out and response back, 2 interface DOFs, against
// raw ZeroMQ and raw TCP of the same bytes in the same run, interleaved, both ends on one
// CPU and on two; and what CURVE adds to raw ZeroMQ and to ours. Decide on the ratios of
// the medians, never on a time or a tail.
//
//   step_exchange_bench [--json] [--rounds N] [--exchanges N] [--placement one|split]

#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/step/contenders.h"

namespace trestle::bench {
namespace {

struct Options {
  bool json = false;
  int rounds = 5;
  int exchanges = 4000;
  std::string placement;  // empty: both
};

/// One round of one contender [µs].
struct Quantiles {
  double p50 = 0.0;
  double p99 = 0.0;
  double p999 = 0.0;
};

struct Line {
  std::string placement;
  std::string name;
  std::string floor;
  Quantiles quantiles;  // medians over the rounds
  double ratio = 0.0;   // to the floor: median over the rounds of the ratio of the p50
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

Quantiles run_round(Contender& contender, int exchanges) {
  using Steady = std::chrono::steady_clock;
  for (int i = 0; i < exchanges / 10; ++i) contender.exchange();  // warm
  std::vector<double> times(static_cast<std::size_t>(exchanges));
  for (double& time : times) {
    const auto begin = Steady::now();
    contender.exchange();
    time = std::chrono::duration<double, std::micro>(Steady::now() - begin).count();
  }
  std::ranges::sort(times);
  const auto at = [&times](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  return {.p50 = at(0.5), .p99 = at(0.99), .p999 = at(0.999)};
}

std::vector<Line> measure(const Placement& placement, const Options& options,
                          const std::string& folder) {
  pin(placement.integrator);
  std::vector<Entry> entries = make_contenders(placement, folder);
  std::vector<std::vector<Quantiles>> rounds(entries.size());
  for (int round = 0; round < options.rounds; ++round)
    for (std::size_t i = 0; i < entries.size(); ++i)
      rounds[i].push_back(run_round(*entries[i].contender, options.exchanges));

  std::vector<Line> lines;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto floor = std::ranges::find(entries, entries[i].floor, &Entry::name);
    const auto& floor_rounds = rounds[static_cast<std::size_t>(floor - entries.begin())];
    std::vector<double> p50;
    std::vector<double> p99;
    std::vector<double> p999;
    std::vector<double> ratio;
    for (std::size_t r = 0; r < rounds[i].size(); ++r) {
      p50.push_back(rounds[i][r].p50);
      p99.push_back(rounds[i][r].p99);
      p999.push_back(rounds[i][r].p999);
      ratio.push_back(rounds[i][r].p50 / floor_rounds[r].p50);
    }
    lines.push_back({.placement = placement.name,
                     .name = entries[i].name,
                     .floor = entries[i].floor,
                     .quantiles = {median(p50), median(p99), median(p999)},
                     .ratio = median(ratio)});
  }
  return lines;
}

void print_table(const std::vector<Line>& lines, const Options& options) {
  std::printf("one step's exchange, 2 DOFs, us; medians of %d rounds of %d exchanges\n",
              options.rounds, options.exchanges);
  std::printf("%-9s %-18s %8s %8s %8s   %s\n", "placement", "contender", "p50", "p99",
              "p99.9", "p50 against");
  for (const Line& line : lines)
    std::printf("%-9s %-18s %8.2f %8.2f %8.2f   %5.2f x %s\n", line.placement.c_str(),
                line.name.c_str(), line.quantiles.p50, line.quantiles.p99,
                line.quantiles.p999, line.ratio, line.floor.c_str());
}

void print_json(const std::vector<Line>& lines, const Options& options) {
  std::printf("{\"rounds\": %d, \"exchanges\": %d, \"results\": [", options.rounds,
              options.exchanges);
  for (const Line& line : lines)
    std::printf(
        "%s\n  {\"placement\": \"%s\", \"contender\": \"%s\", \"p50_us\": %.3f, "
        "\"p99_us\": %.3f, \"p999_us\": %.3f, \"floor\": \"%s\", \"ratio\": %.4f}",
        &line == lines.data() ? "" : ",", line.placement.c_str(), line.name.c_str(),
        line.quantiles.p50, line.quantiles.p99, line.quantiles.p999, line.floor.c_str(),
        line.ratio);
  std::printf("\n]}\n");
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool more = i + 1 < count;
    if (word == "--json")
      options.json = true;
    else if (word == "--rounds" && more)
      options.rounds = std::max(3, std::stoi(words[++i]));
    else if (word == "--exchanges" && more)
      options.exchanges = std::max(100, std::stoi(words[++i]));
    else if (word == "--placement" && more)
      options.placement = words[++i];
    else
      throw std::runtime_error("unknown option " + word);
  }
  return options;
}

/// The first two CPUs that this process may use.
std::array<int, 2> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return {cpus.front(), cpus.size() > 1 ? cpus[1] : -1};
}

int run(const Options& options) {
  std::string pattern = std::filesystem::temp_directory_path() / "trestle-bench-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  const auto [first, second] = usable_cpus();
  std::vector<Line> lines;
  if (options.placement != "split")
    lines = measure({"one CPU", first, first}, options, folder);
  if (options.placement != "one" && second >= 0) {
    const auto split = measure({"split", first, second}, options, folder);
    lines.insert(lines.end(), split.begin(), split.end());
  }
  std::filesystem::remove_all(folder);
  options.json ? print_json(lines, options) : print_table(lines, options);
  return 0;
}

}  // namespace
}  // namespace trestle::bench

int main(int count, char** words) {
  try {
    return trestle::bench::run(trestle::bench::parse(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
