#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/operator_interface.h"
#include "core/timing/virtual_clock.h"
#include "studies/rehearsal/faulty_network.h"
#include "studies/rehearsal/monitored_rig.h"
#include "studies/rehearsal/rehearsal_setup.h"
#include "studies/rehearsal/scenario.h"
#include "studies/rehearsal/simulated_process.h"

namespace trestle::rehearsal {

struct FaultLabSettings {
  std::vector<ScheduledFault> faults = {};  ///< in the order in which they begin
  bool real_rigs = false;                   ///< the rigs outlive their sites' processes
  ScenarioRandom dice;                      ///< of what the network does
  /// The permitted motion of each rig, per site and actuator; empty: any.
  std::vector<std::vector<MotionLimits>> allowed = {};
  Duration sync_delay{};  ///< of the disks
  bool story = false;     ///< tell it
  /// A test that cannot go on is left held, and a person resumes it as often as this.
  int resumes = 0;
  bool one_process = false;  ///< the sites' processes then end with the integrator's
};

/// A whole laboratory on one thread and the virtual clock, whose nodes die and restart,
/// whose network and transducers fail, while the rigs are checked from outside. An operator
/// arms real equipment and gives the commands to continue.
class FaultSimulator {
 public:
  /// @param bench  outlives this
  FaultSimulator(RehearsalSetup& bench, FaultLabSettings settings);

  /// Once: until the test is over, or can go on no more.
  ScenarioTrace run();

 private:
  struct Slot {  // of a node, dead or alive
    TimePoint stalled_until{};
    TimePoint back_at = TimePoint::max();  // it is started again
    Duration wall_step{};                  // of its host's wall clock
  };

  void strike();
  void strike(const ScheduledFault& fault);
  void inject(const ScheduledFault& fault);
  void stop(const ScheduledFault& fault);
  void hold(const ScheduledFault& fault);

  void start(int node);
  void start_integrator();
  void start_site(std::size_t site);
  std::function<std::optional<SystemClockReading>()> wall_clock_of(int node);
  void remove_process(int node);
  void take_away(int node);
  TimePoint begin_again(TimePoint now);
  TimePoint tick(int node, TimePoint now);
  void operate(TimePoint now);
  void operate(int node);
  void resume(int node, OperatorInterface& waiting);
  bool over(TimePoint now);
  bool came_to_its_end() const;
  void note_last_step();
  void conclude();

  static std::size_t place(int node) { return static_cast<std::size_t>(node) + 1; }
  Slot& slot(int node) { return slots_[place(node)]; }
  SimulatedDisk& disk(int node) { return *trace_.disks[place(node)]; }
  ProcessLifetime* life(int node) noexcept;
  OperatorInterface* operated(int node) noexcept;
  const ScheduledFault* next_death(int node) const;
  void tell(int node, const std::string& what);

  RehearsalSetup& bench_;
  FaultLabSettings settings_;
  int site_count_;
  timing::VirtualClock clock_;
  CallCount calls_ = 0;
  FaultyNetwork network_;
  std::vector<std::unique_ptr<MonitoredRig>> rigs_;
  std::vector<Slot> slots_;
  std::unique_ptr<SimulatedIntegratorProcess> integrator_;    // null: dead
  std::vector<std::unique_ptr<SimulatedSiteProcess>> sites_;  // null: dead
  std::vector<std::unique_ptr<SimulatedIntegratorProcess>> dead_integrators_;
  std::vector<std::unique_ptr<SimulatedSiteProcess>> dead_sites_;
  std::vector<bool> struck_;      // per fault: it has begun
  TimePoint operator_at_{};       // looks again; max: never comes back
  std::int64_t resumed_at_ = -1;  // steps done when the operator said so last
  int in_vain_ = 0;               // resumes since then without a further step
  TimePoint last_fault_{};
  std::optional<TimePoint> quiet_since_;  // the integrator has nothing more to do
  ScenarioTrace trace_;
};

}  // namespace trestle::rehearsal
