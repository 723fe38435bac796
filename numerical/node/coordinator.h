#pragma once

#include <array>

#include "numerical/node/end_rules.h"
#include "numerical/node/phase.h"
#include "numerical/node/phase_handler.h"

namespace trestle::integrator_node {

/// Changes the phase of a test by the table of transitions. The handler of a phase does its
/// work; EndRules decides how a test ends.
///
/// Each function runs to completion: it returns when no handler asks for another change.
class Coordinator {
 public:
  /// One per phase, in the order of Phase.
  using Handlers = std::array<PhaseHandler*, kPhases>;

  /// @param phase, handlers, rules, times  outlive this
  Coordinator(Phase& phase, const Handlers& handlers, const EndRules& rules,
              const RunTimes& times)
      : phase_(phase), handlers_(handlers), rules_(rules), times_(times) {}

  /// The first phase begins.
  void start();
  /// Does all that is due. @returns whether there may be more to do now
  bool tick();
  /// Applies the request of an operator or a message.
  void apply(PhaseChange change);

  Phase phase() const noexcept { return phase_; }
  PhaseHandler& handler() const noexcept {
    return *handlers_[static_cast<std::size_t>(phase_)];
  }

 private:
  Phase& phase_;
  Handlers handlers_;
  const EndRules& rules_;
  const RunTimes& times_;
};

}  // namespace trestle::integrator_node
