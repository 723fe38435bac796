#include "cli/bus_notices.h"

#include <unistd.h>

namespace trestle {

void tell_notices(ZmqTransport* bus, Recorder& recorder, std::int64_t step,
                  const std::function<void(const BusNotice&)>& say) {
  if (bus == nullptr) return;
  for (const BusNotice& notice : bus->take_notices()) {
    say(notice);
    if (notice.warning) recorder.event(step, "bus", notice.text);
  }
}

void say_to_terminal(LineWriter& terminal, const BusNotice& notice) {
  if (!notice.warning) return;
  // The line of progress stands there on a terminal.
  const char* const clean = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  terminal.write(clean + ("bus: " + notice.text) + "\n");
}

}  // namespace trestle
