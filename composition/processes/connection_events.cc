#include "composition/processes/connection_events.h"

#include <unistd.h>

namespace trestle::composition {

void record_connection_events(bus::ZmqTransport* bus, RunLog& log, std::int64_t step,
                              const std::function<void(const bus::ConnectionEvent&)>& say) {
  if (bus == nullptr) return;
  for (const bus::ConnectionEvent& notice : bus->take_notices()) {
    say(notice);
    if (notice.warning) log.event(step, "bus", notice.text);
  }
}

void print_connection_event(host::LineWriter& terminal,
                            const bus::ConnectionEvent& notice) {
  if (!notice.warning) return;
  // On a terminal the progress line is in this place.
  const char* const clean = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  terminal.write(clean + ("bus: " + notice.text) + "\n");
}

}  // namespace trestle::composition
