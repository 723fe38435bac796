#include "cli/bus_notices.h"

#include <unistd.h>

#include <cstdio>

namespace trestle {

void tell_notices(ZmqTransport* bus, Recorder& recorder, std::int64_t step,
                  const std::function<void(const BusNotice&)>& say) {
  if (bus == nullptr) return;
  for (const BusNotice& notice : bus->take_notices()) {
    say(notice);
    if (notice.warning) recorder.event(step, "bus", notice.text);
  }
}

void say_to_terminal(const BusNotice& notice) {
  if (!notice.warning) return;
  // The line of progress stands there on a terminal.
  std::fprintf(stderr, "%sbus: %s\n", isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "",
               notice.text.c_str());
}

}  // namespace trestle
