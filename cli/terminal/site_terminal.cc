#include "cli/terminal/site_terminal.h"

#include <limits>

namespace trestle::cli {

void SiteTerminal::show(const NodeStatus& status) {
  line_.show(status, {.folder = folder_,
                      .wait = status.waits.empty() ? "" : status.waits.front().whom,
                      .margin_s = std::numeric_limits<double>::quiet_NaN()});
}

}  // namespace trestle::cli
