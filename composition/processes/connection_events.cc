#include "composition/processes/connection_events.h"

#include <unistd.h>

namespace trestle {

void record_connection_events(ZmqTransport* bus, RunLog& log, std::int64_t step,
                              const std::function<void(const ConnectionEvent&)>& say) {
  if (bus == nullptr) return;
  for (const ConnectionEvent& notice : bus->take_notices()) {
    say(notice);
    if (notice.warning) log.event(step, "bus", notice.text);
  }
}

void print_connection_event(LineWriter& terminal, const ConnectionEvent& notice) {
  if (!notice.warning) return;
  // The line of progress stands there on a terminal.
  const char* const clean = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  terminal.write(clean + ("bus: " + notice.text) + "\n");
}

}  // namespace trestle
