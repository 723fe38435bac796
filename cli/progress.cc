#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace trestle {
namespace {

constexpr std::chrono::milliseconds kOnTerminal{200};
constexpr std::chrono::milliseconds kPlain{3000};

double in_seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Progress::Progress(std::int64_t steps_planned, double time_step)
    : steps_planned_(steps_planned),
      time_step_(time_step),
      terminal_(isatty(STDERR_FILENO) == 1),
      moved_(Clock::now()),
      last_(moved_) {}

bool Progress::due() const {
  return Clock::now() - last_ >= (terminal_ ? kOnTerminal : kPlain);
}

void Progress::show(std::int64_t steps_done, const std::string& waiting_for,
                    const std::string& tracking) {
  const Clock::time_point now = Clock::now();
  const double passed = in_seconds(now - last_);
  const double rate =
      passed > 0.0 ? static_cast<double>(steps_done - last_steps_) / passed : 0.0;
  char line[400];
  if (steps_done != last_steps_) moved_ = now;
  if (steps_done == last_steps_ && !waiting_for.empty()) {
    std::snprintf(line, sizeof line, "WAITING  for %s, since %.0f s", waiting_for.c_str(),
                  in_seconds(now - moved_));
  } else {
    const double percent = steps_planned_ > 0 ? 100.0 * static_cast<double>(steps_done) /
                                                    static_cast<double>(steps_planned_)
                                              : 100.0;
    char left[40] = "";
    if (rate > 0.0)
      std::snprintf(left, sizeof left, "   %.1f s left",
                    static_cast<double>(steps_planned_ - steps_done) / rate);
    std::snprintf(
        line, sizeof line,
        "RUNNING  step %lld / %lld   %.0f %%   %.2f s of %.2f s   %.1f x real time%s%s",
        static_cast<long long>(steps_done), static_cast<long long>(steps_planned_), percent,
        static_cast<double>(steps_done) * time_step_,
        static_cast<double>(steps_planned_) * time_step_, rate * time_step_, left,
        tracking.c_str());
  }
  std::fprintf(stderr, terminal_ ? "\r\x1b[K%s" : "%s\n", line);
  std::fflush(stderr);
  drawn_ = true;
  last_ = now;
  last_steps_ = steps_done;
}

void Progress::end() {
  if (terminal_ && drawn_) std::fprintf(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace trestle
