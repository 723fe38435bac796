#include "cli/terminal/test_line.h"

#include <sys/resource.h>

#include <utility>

#include "cli/terminal/line_terminal.h"
#include "cli/terminal/progress_interval.h"
#include "core/host/quiet_thread.h"
#include "core/host/realtime_scheduling.h"
#include "core/types/record_names.h"
#include "observe/live/screen_text.h"

namespace trestle::cli {
namespace {

// A terminal's line follows each row: the ring must not run ahead. A log's line reads the
// newest rows when it is due, so that a run that nobody watches costs nothing.
constexpr std::chrono::milliseconds kBetweenLooks{200};
constexpr int kLineNiceness = 10;  // nodes come first

/// A site's log says once how it stands; only the steps of a running test are news.
bool is_news(const NodeStatus& status) {
  return status.node == kIntegratorNode || status.state == "RUNNING";
}

}  // namespace

TestLine::TestLine(std::string folder, host::LineWriter& terminal)
    : folder_(std::move(folder)),
      out_(terminal),
      terminal_(stderr_renews_lines()),
      begun_(Clock::now()),
      said_at_(begun_),
      written_(begun_),
      thread_(host::quiet_thread([this] { follow(); })) {}

TestLine::~TestLine() {
  end();
}

bool TestLine::due() const {
  return Clock::now() - said_at_ >= kBetweenLooks;
}

void TestLine::show(NodeStatus status, live::LiveLineNotes notes) {
  said_at_ = Clock::now();
  // What the other thread copies just now is as new as this.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) said_ = Said{std::move(status), std::move(notes)};
}

void TestLine::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  thread_.join();
  if (terminal_) out_.renew({});
}

void TestLine::follow() {
  host::set_fifo_priority(0);
  setpriority(PRIO_PROCESS, 0, kLineNiceness);  // of this thread alone
  live::TestFollower test({.folder = folder_, .newest_only = !terminal_});
  std::unique_lock lock(mutex_);
  do {
    std::optional<Said> said = said_;
    lock.unlock();
    if (said) draw(test, std::move(*said));
    lock.lock();
  } while (!ending_.wait_for(lock, kBetweenLooks, [this] { return ended_; }));
}

void TestLine::draw(live::TestFollower& test, Said said) {
  if (said.status.session.empty()) {
    if (terminal_) out_.renew({});
    return;
  }
  // Other nodes say them: nothing in them moves the cursor.
  said.status.reason = live::legible_line(std::move(said.status.reason));
  said.notes.wait = live::legible_line(std::move(said.notes.wait));
  const Clock::time_point now = Clock::now();
  if (!terminal_ && (now - written_ < progress_interval(false) || !is_news(said.status)))
    return;
  const live::TestView& view =
      test.look(std::chrono::duration<double>(now - begun_).count(), &said.status);
  const std::string line = live::live_line(view, said.notes, stderr_line_width());
  if (terminal_) return out_.renew(line);
  written_ = now;
  out_.write(line + "\n");
}

}  // namespace trestle::cli
