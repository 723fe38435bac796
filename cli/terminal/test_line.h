#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/host/line_writer.h"
#include "core/ports/operator_interface.h"
#include "observe/live/live_line.h"
#include "observe/live/test_follower.h"

namespace trestle::cli {

/// Shows on stderr how a test stands, by the records in its folder: one line that renews
/// itself on a terminal and is never wider than it; elsewhere, and with TERM=dumb, one
/// plain line every few seconds.
///
/// A separate thread of ordinary priority reads the records. The thread that drives the
/// node says what they do not tell, between two ticks, and waits for nothing.
class TestLine {
 public:
  /// @param folder    of the records; not read before the first show()
  /// @param terminal  where stderr is written, and never waited for
  TestLine(std::string folder, host::LineWriter& terminal);
  ~TestLine();
  TestLine(const TestLine&) = delete;
  TestLine& operator=(const TestLine&) = delete;

  /// It is time to say again how the node stands. Cheap enough for every call.
  bool due() const;
  /// There is no line where the status names no session.
  void show(NodeStatus status, live::LiveLineNotes notes);
  /// Leaves the terminal's line clean for what follows.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// What the records do not tell.
  struct Said {
    NodeStatus status;
    live::LiveLineNotes notes;
  };

  void follow();
  void draw(live::TestFollower& test, Said said);

  const std::string folder_;
  host::LineWriter& out_;
  const bool terminal_;
  const Clock::time_point begun_;
  Clock::time_point said_at_;  // of the node's thread
  Clock::time_point written_;  // of the other thread: the last plain line

  std::mutex mutex_;
  std::condition_variable ending_;
  std::optional<Said> said_;  // guarded
  bool ended_ = false;        // guarded
  std::thread thread_;
};

}  // namespace trestle::cli
