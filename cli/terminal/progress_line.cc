#include "cli/terminal/progress_line.h"

#include <unistd.h>

#include <cstdio>

#include "cli/terminal/progress_interval.h"

namespace trestle {
namespace {

double in_seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

ProgressLine::ProgressLine(std::int64_t steps_planned, double time_step,
                           LineWriter& terminal)
    : steps_planned_(steps_planned),
      time_step_(time_step),
      out_(terminal),
      terminal_(isatty(STDERR_FILENO) == 1),
      moved_(Clock::now()),
      last_(moved_) {}

bool ProgressLine::due() const {
  return Clock::now() - last_ >= progress_interval(terminal_);
}

void ProgressLine::show_wait(std::int64_t steps_done, const std::string& for_whom) {
  const Clock::time_point now = Clock::now();
  if (steps_done != last_steps_) moved_ = now;
  char since[40];
  std::snprintf(since, sizeof since, ", since %.0f s", in_seconds(now - moved_));
  draw(steps_done, now, "WAITING  for " + for_whom + since);
}

void ProgressLine::show(std::int64_t steps_done, const std::string& waiting_for,
                        const std::string& tracking) {
  if (steps_done == last_steps_ && !waiting_for.empty())
    return show_wait(steps_done, waiting_for);
  const Clock::time_point now = Clock::now();
  const double passed = in_seconds(now - last_);
  const double rate =
      passed > 0.0 ? static_cast<double>(steps_done - last_steps_) / passed : 0.0;
  if (steps_done != last_steps_) moved_ = now;
  const double percent = steps_planned_ > 0 ? 100.0 * static_cast<double>(steps_done) /
                                                  static_cast<double>(steps_planned_)
                                            : 100.0;
  char left[40] = "";
  if (rate > 0.0)
    std::snprintf(left, sizeof left, "   %.1f s left",
                  static_cast<double>(steps_planned_ - steps_done) / rate);
  char line[200];
  std::snprintf(
      line, sizeof line,
      "RUNNING  step %lld / %lld   %.0f %%   %.2f s of %.2f s   %.1f x real time%s",
      static_cast<long long>(steps_done), static_cast<long long>(steps_planned_), percent,
      static_cast<double>(steps_done) * time_step_,
      static_cast<double>(steps_planned_) * time_step_, rate * time_step_, left);
  draw(steps_done, now, line + tracking);
}

void ProgressLine::draw(std::int64_t steps_done, Clock::time_point now,
                        const std::string& line) {
  out_.write(terminal_ ? "\r\x1b[K" + line : line + "\n");
  drawn_ = true;
  last_ = now;
  last_steps_ = steps_done;
}

void ProgressLine::say(const std::string& line) {
  out_.write((terminal_ ? "\r\x1b[K" : "") + line + "\n");
}

void ProgressLine::end() {
  if (terminal_ && drawn_) out_.write("\r\x1b[K");
  drawn_ = false;
}

}  // namespace trestle
