#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/types/fault.h"

namespace trestle::site_node {

class ControlLoop;
class StepRun;
class TickGrid;

/// Divides the steps of an execution mode into control ticks while the loop runs. Lives on
/// the control thread.
class StepSequence {
 public:
  /// The parts with which a sequence works; each outlives it.
  struct Parts {
    ControlLoop& loop;
    TickGrid& grid;
    StepRun& run;
    bool real_equipment;  ///< is read on while nothing is asked of it
  };

  virtual ~StepSequence() = default;

  /// The tick that is due: its read, the answer and the opening of steps, its drive.
  /// @returns the fault that ended it
  virtual Fault tick(TimePoint now) noexcept = 0;
  /// Until the next step there is nothing to tick for.
  virtual bool is_idle() const noexcept = 0;
  /// The rig is requested to stay. @param running  the loop runs, or has held since it ran
  /// @returns true if the present step is kept, so that it can continue
  virtual bool hold(bool running) noexcept = 0;
  /// The step under way and those behind it were given up.
  virtual void give_up() noexcept = 0;
  /// The run continues with this step; zero of the grid is set.
  virtual void resume(std::int64_t first, TimePoint now) noexcept = 0;
  /// Before a tick: ticks that came too late for their place are left out.
  virtual void skip_late_ticks(TimePoint now) noexcept = 0;
  /// Places the tick behind the one that was done.
  virtual void place_next_tick(TimePoint now) noexcept = 0;
  /// When the next end-of-step measurement is expected; max: not known.
  virtual TimePoint response_expected_at() const noexcept = 0;
};

}  // namespace trestle::site_node
