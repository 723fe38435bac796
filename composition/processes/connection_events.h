#pragma once

#include <cstdint>
#include <functional>

#include "core/bus/zmq_transport.h"
#include "core/host/line_writer.h"
#include "core/ports/run_log.h"

namespace trestle::composition {

/// Records refusals on the bus, and new and ended connections, since the last call. Called
/// between ticks.
/// @param bus   may be none
/// @param step  done last
void record_connection_events(bus::ZmqTransport* bus, RunLog& log, std::int64_t step,
                              const std::function<void(const bus::ConnectionEvent&)>& say);

/// Prints refusals and warnings to stderr; connections are only in a site's log.
void print_connection_event(host::LineWriter& terminal, const bus::ConnectionEvent& notice);

}  // namespace trestle::composition
