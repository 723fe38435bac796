#include "cli/terminal/campaign_progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "cli/terminal/progress_interval.h"

namespace trestle::cli {
namespace {

std::string duration(double seconds) {
  char text[40];
  if (seconds < 120.0)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 7200.0)
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60.0);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600.0);
  return text;
}

}  // namespace

CampaignProgressLine::CampaignProgressLine()
    : terminal_(isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

void CampaignProgressLine::show(const campaign::CampaignProgress& progress) {
  const Clock::time_point now = Clock::now();
  if (now - last_ < progress_interval(terminal_)) return;
  const double passed = std::chrono::duration<double>(now - start_).count();
  std::string left;
  if (progress.done_now > 0)
    left = "   " +
           duration(passed / static_cast<double>(progress.done_now) *
                    static_cast<double>(progress.planned - progress.done)) +
           " left";
  char line[300];
  std::snprintf(
      line, sizeof line, "RUNNING  run %lld / %lld   %.0f %%   %lld unstable%s",
      static_cast<long long>(progress.done), static_cast<long long>(progress.planned),
      100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.planned),
      static_cast<long long>(progress.unstable), left.c_str());
  std::fprintf(stderr, terminal_ ? "\r\x1b[K%s" : "%s\n", line);
  std::fflush(stderr);
  drawn_ = true;
  last_ = now;
}

void CampaignProgressLine::end() {
  if (terminal_ && drawn_) std::fprintf(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace trestle::cli
