#pragma once

#include <cstdint>
#include <functional>

#include "core/bus/zmq_transport.h"
#include "core/host/line_writer.h"
#include "core/ports/run_log.h"

namespace trestle {

/// Says what the bus has refused, and who came and went, since it was asked last, and keeps
/// the refusals in the record. Between ticks.
/// @param bus   may be none
/// @param step  done last
void record_connection_events(ZmqTransport* bus, RunLog& log, std::int64_t step,
                              const std::function<void(const ConnectionEvent&)>& say);

/// Refusals and the like to stderr; who comes and goes is for a site's log alone.
void print_connection_event(LineWriter& terminal, const ConnectionEvent& notice);

}  // namespace trestle
