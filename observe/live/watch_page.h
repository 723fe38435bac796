#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "observe/live/screen_text.h"
#include "observe/live/test_follower.h"

namespace trestle::live {

struct WatchPageStyle {
  std::size_t width = 80;
  std::size_t height = 24;  ///< 0: as many rows as there are
  bool plain = false;       ///< ASCII only
  bool keys = false;        ///< with the row of keys
};

/// What the person at the screen has chosen, and what was said to him.
struct WatchPageState {
  std::size_t actuator = 0;  ///< whose course is drawn
  double window_s = 30.0;    ///< of test time that is drawn [s]
  bool help = false;         ///< the keys are explained
  std::string prompt;        ///< asked at the bottom row; empty: nothing is asked
  std::string message;       ///< of the last command; may be empty
  bool untold = false;       ///< a process serves the test, and may not be asked
  std::string local_time{};  ///< of the person's host, beside a test that a process serves
};

/// One screen of a test: state, test time, why it waits, actuators, the course of one of
/// them, the sites, the last events. No row is wider than the width.
///
/// @param why  a sentence for each wait, and why it holds; may be empty
std::vector<ScreenRow> watch_page(const TestFollower& test,
                                  const std::vector<std::string>& why,
                                  const WatchPageState& state, const WatchPageStyle& style);

}  // namespace trestle::live
