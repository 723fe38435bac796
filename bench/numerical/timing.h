#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace trestle::bench {

inline constexpr int kRounds = 7;  ///< of which the median counts

/// Keeps this thread on the first CPU.
inline void stay_on_one_cpu() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// @returns what one call of `step` takes [µs]
template <typename Step>
double microseconds(int repeats, Step step) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) step(i);
  const std::chrono::duration<double, std::micro> took =
      std::chrono::steady_clock::now() - begin;
  return took.count() / repeats;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace trestle::bench
