// A whole test by one thread, and what each part of it takes: the multi-axial benchmark of
// examples/marths over its 42 169 steps (a synthetic record), without compensation and with
// NARX, against a plain loop over the same matrix products; all interleaved, round by
// round.
//
//   whole_test_bench [--json] [--rounds N] [--duration SECONDS]

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/whole_test/cpu_time.h"
#include "bench/whole_test/floor_loop.h"
#include "bench/whole_test/measured_test.h"

namespace trestle::bench {
namespace {

const std::string kTests = TRESTLE_SOURCE_DIR "/examples/marths";

constexpr std::int64_t kAimedSteps = 42169;  // of the run that the aims are for

struct Options {
  bool json = false;
  int rounds = 7;
  std::string duration = "41.18";  // [s]: 42 169 steps of 1/1024 s
};

/// One line of the table: a part, where its time stands, and its aim, if it has one [s].
struct Part {
  const char* name;
  double TestTimes::*time;
  double aim_none = 0.0;
  double aim_narx = 0.0;
};

constexpr Part kParts[] = {
    {"numerics alone, with reference", &TestTimes::numerics},
    {"site alone", &TestTimes::site},
    {"whole test, nothing recorded", &TestTimes::lab, 0.15, 0.30},
    {"whole test with journals, its thread", &TestTimes::recorded},
    {"set-up", &TestTimes::set_up},
    {"criteria", &TestTimes::criteria},
    {"effective.yaml, summary.json", &TestTimes::papers},
    {"whole command, all threads", &TestTimes::command, 0.30, 0.60},
    {"whole command, wall", &TestTimes::wall},
};

/// One test's round of everything, beside the floor of the same round.
struct Round {
  double floor = 0.0;
  TestTimes times;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <typename Value>
double median_of(const std::vector<Round>& rounds, Value value) {
  std::vector<double> values;
  for (const Round& round : rounds) values.push_back(value(round));
  return median(std::move(values));
}

double milliseconds(const std::vector<Round>& rounds, double TestTimes::*time) {
  return 1e3 * median_of(rounds, [=](const Round& round) { return round.times.*time; });
}

double ratio(const std::vector<Round>& rounds, double TestTimes::*time) {
  return median_of(rounds,
                   [=](const Round& round) { return round.times.*time / round.floor; });
}

double share(const std::vector<Round>& rounds, double TestTimes::*time) {
  return median_of(rounds,
                   [=](const Round& round) { return round.times.*time / round.times.lab; });
}

double floor_ms(const std::vector<Round>& rounds) {
  return 1e3 * median_of(rounds, [](const Round& round) { return round.floor; });
}

std::string aim(double seconds, double floor) {
  if (seconds == 0.0) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 1e3 * seconds / floor);
  return text;
}

void print_half(const std::vector<Round>& rounds, const Part& part, double aimed) {
  std::printf(" | %8.1f %7.2f %6s %5.0f%%", milliseconds(rounds, part.time),
              ratio(rounds, part.time), aim(aimed, floor_ms(rounds)).c_str(),
              100.0 * share(rounds, part.time));
}

void print_table(const std::vector<Round>& none, const std::vector<Round>& narx,
                 std::int64_t steps) {
  std::printf(
      "a whole test of %lld steps; medians of %zu rounds; CPU unless it says wall\n",
      static_cast<long long>(steps), none.size());
  std::printf("%-40s | %-30s | %s\n", "", "no compensation", "NARX, order 2, window 1024");
  std::printf("%-40s", "");
  for (int half = 0; half < 2; ++half)
    std::printf(" | %8s %7s %6s %6s", "ms", "x floor", "aim", "whole");
  std::printf("\n%-40s | %8.1f %7.2f %6s %6s | %8.1f %7.2f\n",
              "floor: the matrix products, a plain loop", floor_ms(none), 1.0, "", "",
              floor_ms(narx), 1.0);
  for (const Part& part : kParts) {
    std::printf("%-40s", part.name);
    print_half(none, part, part.aim_none);
    print_half(narx, part, part.aim_narx);
    std::printf("\n");
  }
}

void print_json(const std::vector<Round>& none, const std::vector<Round>& narx,
                std::int64_t steps) {
  std::printf("{\"steps\": %lld, \"rounds\": %zu, \"results\": [",
              static_cast<long long>(steps), none.size());
  const char* comma = "";
  for (const auto& [test, rounds] : {std::pair{"none", &none}, std::pair{"narx", &narx}})
    for (const Part& part : kParts) {
      std::printf(
          "%s\n  {\"test\": \"%s\", \"part\": \"%s\", \"ms\": %.3f, \"floor_ms\": %.3f, "
          "\"ratio\": %.4f, \"aim_ms\": %.0f, \"share_of_whole\": %.4f}",
          comma, test, part.name, milliseconds(*rounds, part.time), floor_ms(*rounds),
          ratio(*rounds, part.time),
          1e3 * (rounds == &none ? part.aim_none : part.aim_narx),
          share(*rounds, part.time));
      comma = ",";
    }
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
    else if (word == "--duration" && more)
      options.duration = words[++i];
    else
      throw std::runtime_error("unknown option " + word);
  }
  return options;
}

int run(const Options& options) {
  std::string pattern = std::filesystem::temp_directory_path() / "trestle-bench-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  const std::vector<std::string> record{
      "excitation.synthetic.duration=" + options.duration + " s"};
  const MeasuredTest none(kTests + "/none.yaml", record);
  const MeasuredTest narx(kTests + "/narx.yaml", record);
  FloorLoop floor(kTests);
  volatile double kept = floor.run(none.steps());  // warm
  const auto round = [&](const MeasuredTest& test) {
    const Times plain = time_of([&] { kept = floor.run(test.steps()); });
    return Round{plain.thread, test.measure(folder + "/run")};
  };
  std::vector<Round> rounds_none;
  std::vector<Round> rounds_narx;
  for (int i = 0; i < options.rounds; ++i) {
    rounds_none.push_back(round(none));
    rounds_narx.push_back(round(narx));
  }
  std::filesystem::remove_all(folder);
  if (none.steps() != kAimedSteps)
    std::fprintf(stderr, "the aims are for %lld steps\n",
                 static_cast<long long>(kAimedSteps));
  const auto print = options.json ? print_json : print_table;
  print(rounds_none, rounds_narx, none.steps());
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
