#include "cli/terminal/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/terminal/progress_interval.h"
#include "observe/live/live_line.h"
#include "observe/live/screen_text.h"

namespace trestle {
namespace {

// A log has no width; a line longer than this is a fault.
constexpr std::size_t kWidthOfLog = 1000;
constexpr std::size_t kUsualWidth = 80;

double in_seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// The line can be drawn over itself.
bool is_screen() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

/// A line that fills the last column may wrap.
std::size_t line_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : kUsualWidth) - 1;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first);
}

}  // namespace

ProgressLine::ProgressLine(std::int64_t steps_planned, double time_step,
                           LineWriter& terminal)
    : out_(terminal), terminal_(is_screen()), begun_(Clock::now()) {
  view_.steps_planned = steps_planned;
  view_.time_step = time_step;
  last_ = begun_;
}

bool ProgressLine::due() const {
  return Clock::now() - last_ >= progress_interval(terminal_);
}

void ProgressLine::show_wait(std::int64_t steps_done, const std::string& for_whom) {
  update(steps_done, false);
  char since[40];
  std::snprintf(since, sizeof since, ", since %.0f s", view_.stands_still);
  draw({"WAITING  for " + for_whom + since});
}

void ProgressLine::show(std::int64_t steps_done, const std::string& waiting_for,
                        const std::string& tracking) {
  if (steps_done == view_.steps_done && !waiting_for.empty())
    return show_wait(steps_done, waiting_for);
  update(steps_done, true);
  char state[40];
  std::snprintf(state, sizeof state, "RUNNING %.0f %%", std::floor(view_.percent()));
  char time[60];
  std::snprintf(time, sizeof time, "%.2f of %.2f s", view_.time(), view_.end_time());
  draw({state, time, remaining_text(view_), pace_text(view_), trimmed(tracking),
        "step " + std::to_string(steps_done) + " of " +
            std::to_string(view_.steps_planned)});
}

void ProgressLine::update(std::int64_t steps_done, bool running) {
  const double now = in_seconds(Clock::now() - begun_);
  view_.steps_done = steps_done;
  remaining_.add(now, steps_done, running);
  view_.rate = remaining_.rate();
  view_.stands_still = remaining_.stands_still();
  view_.left = remaining_.left(view_.steps_planned - steps_done);
}

void ProgressLine::draw(const std::vector<std::string>& parts) {
  line_ = join_by_rank(parts, terminal_ ? line_width() : kWidthOfLog);
  out_.write(terminal_ ? "\r\x1b[K" + line_ : line_ + "\n");
  last_ = Clock::now();
}

void ProgressLine::say(const std::string& line) {
  if (!terminal_) return out_.write(line + "\n");
  // Drawn again behind it, so that neither hides the other.
  out_.write("\r\x1b[K" + line + "\n" + line_);
}

void ProgressLine::say(const ConnectionEvent& event) {
  if (event.warning) say("bus: " + event.text);
}

void ProgressLine::end() {
  if (terminal_ && !line_.empty()) out_.write("\r\x1b[K");
  line_.clear();
}

}  // namespace trestle
