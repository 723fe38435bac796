#include "cli/terminal/progress_line.h"

#include <cmath>
#include <cstdio>

#include "cli/terminal/line_terminal.h"
#include "cli/terminal/progress_interval.h"
#include "observe/live/live_line.h"
#include "observe/live/screen_text.h"

namespace trestle::cli {
namespace {

double in_seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first);
}

}  // namespace

ProgressLine::ProgressLine(std::int64_t steps_planned, double time_step,
                           host::LineWriter& terminal)
    : out_(terminal), terminal_(stderr_renews_lines()), begun_(Clock::now()) {
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
  draw({state, time, live::remaining_text(view_), live::pace_text(view_), trimmed(tracking),
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
  line_ = live::join_by_rank(parts, stderr_line_width());
  out_.write(terminal_ ? "\r\x1b[K" + line_ : line_ + "\n");
  last_ = Clock::now();
}

void ProgressLine::end() {
  if (terminal_ && !line_.empty()) out_.write("\r\x1b[K");
  line_.clear();
}

}  // namespace trestle::cli
