#pragma once

#include <string>
#include <vector>

#include "core/bus/zmq_transport.h"
#include "core/evaluation/run_report.h"
#include "core/ports/operator_interface.h"

namespace trestle::composition {

/// How far a run is.
struct RunProgress {
  NodeStatus status;  ///< of the integrator
  bool waits_for_operator = false;
  std::string waiting_for;  ///< node that the run waits for; empty: none
  std::vector<evaluation::SiteReport> tracking;  ///< how the sites follow until now
};

/// The output of a run for the person at its terminal. Called between two ticks; no call
/// waits for a reader.
class RunDisplay {
 public:
  virtual ~RunDisplay() = default;

  /// Returns true if it is time to show progress again. Cheap enough for every tick.
  virtual bool due() const = 0;
  virtual void show(const RunProgress& progress) = 0;
  /// A line that stays.
  virtual void say(const std::string& line) = 0;
  /// Shows refused, new and ended connections.
  virtual void show(const bus::ConnectionEvent& event) = 0;
  /// The run has ended.
  virtual void end() = 0;
};

}  // namespace trestle::composition
