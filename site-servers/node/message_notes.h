#pragma once

#include <string>

#include "core/session/event_tally.h"
#include "core/types/fault.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/step_position.h"

namespace trestle::site_node {

/// Notes in the record which messages are malformed, ignored or refused. A peer can send
/// them by the thousand: an EventTally limits the rows of each kind.
class MessageNotes {
 public:
  /// All outlive this.
  MessageNotes(SiteRecorder& record, IntegratorPeer& peer, const StepPosition& position)
      : record_(record), peer_(peer), position_(position) {}

  void malformed(const std::string& problem) { add(malformed_, problem); }
  void ignored(const std::string& what) { add(ignored_, what); }
  /// A person's message to all, from another node. @returns false: it was only counted
  bool said(const std::string& text) { return add(said_, text); }
  /// Records the reason and sends it to the integrator. Nothing has moved, and no fault is
  /// latched.
  /// @param fault  the limit that was met; none: no limit was
  void refuse(const std::string& reason, const Fault& fault = {});

  /// Records how many were counted without a row. @param all  also those of a period that
  /// is not over: the record ends
  void record_sums(bool all);

 private:
  bool add(session::EventTally& tally, const std::string& text);

  SiteRecorder& record_;
  IntegratorPeer& peer_;
  const StepPosition& position_;
  session::EventTally malformed_{"malformed"};
  session::EventTally ignored_{"ignored"};
  session::EventTally refused_{"refused"};
  session::EventTally said_{"said"};
};

}  // namespace trestle::site_node
