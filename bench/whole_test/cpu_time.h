#pragma once

#include <time.h>

namespace trestle::bench {

/// Where three clocks stand, or what passed between two looks at them [s].
struct Times {
  double thread = 0.0;   ///< CPU of the calling thread
  double process = 0.0;  ///< CPU of all threads
  double wall = 0.0;

  static Times now() {
    const auto read = [](clockid_t clock) {
      timespec at{};
      clock_gettime(clock, &at);
      return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
    };
    return {read(CLOCK_THREAD_CPUTIME_ID), read(CLOCK_PROCESS_CPUTIME_ID),
            read(CLOCK_MONOTONIC)};
  }
};

inline Times operator-(const Times& end, const Times& begin) {
  return {end.thread - begin.thread, end.process - begin.process, end.wall - begin.wall};
}

/// What a piece of work took.
template <typename Work>
Times time_of(Work work) {
  const Times begin = Times::now();
  work();
  return Times::now() - begin;
}

}  // namespace trestle::bench
