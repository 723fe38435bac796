#pragma once

#include <string>
#include <vector>

#include "numerical/node/integrator_settings.h"
#include "studies/rehearsal/scenario.h"

namespace trestle::rehearsal {

/// Holds what a scenario left behind against the promises P3 to P8
/// (docs/reference/bus-protocol.md), from the nodes' records, from what went over the bus,
/// and from what was seen of the rigs.
class ScenarioChecker {
 public:
  /// @param undisturbed  the same test with the same kind of rigs, and no fault. Both
  ///                     outlive this
  ScenarioChecker(const integrator_node::IntegratorSettings& test,
                  const ScenarioTrace& undisturbed)
      : test_(test), undisturbed_(undisturbed) {}

  ScenarioVerdict judge(const ScenarioTrace& trace) const;

 private:
  struct CheckContext;  // what is judged now

  void judge_end(CheckContext& now) const;
  void judge_motion(CheckContext& now) const;
  void judge_site(CheckContext& now, std::size_t site) const;
  void judge_integrator(CheckContext& now) const;
  void judge_ledger(CheckContext& now, const MemorySession& session) const;
  void judge_answers(CheckContext& now, std::size_t site,
                     const MemorySession& session) const;
  void judge_sameness(CheckContext& now, std::size_t disk,
                      const MemorySession& session) const;
  std::string writer(std::size_t disk) const;
  const MemorySession* session(const ScenarioTrace& trace, std::size_t disk) const;

  const integrator_node::IntegratorSettings& test_;
  const ScenarioTrace& undisturbed_;
};

}  // namespace trestle::rehearsal
