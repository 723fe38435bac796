#include "cli/terminal/line_terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace trestle::cli {
namespace {

// A log has no width; a line longer than this is a fault.
constexpr std::size_t kWidthOfLog = 1000;
constexpr std::size_t kUsualWidth = 80;

}  // namespace

bool stderr_renews_lines() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t stderr_line_width() {
  if (!stderr_renews_lines()) return kWidthOfLog;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : kUsualWidth) - 1;
}

}  // namespace trestle::cli
