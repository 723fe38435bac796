#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/row_sink.h"
#include "core/ports/site_adapter.h"
#include "core/record/drive_columns.h"
#include "core/types/fault.h"
#include "site-servers/checks/drive_in_force.h"
#include "site-servers/node/loop_health.h"
#include "site-servers/node/tick_rows.h"

namespace trestle::site_node {

/// The rig as the control thread sees it: one read and one write a tick, the row of the
/// tick, and the drive that is in force.
class RigPort {
 public:
  struct Settings {
    int actuators = 0;
    int record_every = 1;          ///< keep every n-th control tick, >= 1
    std::size_t coefficients = 0;  ///< in the row of a tick, of all actuators together
    RowSink* ticks = nullptr;      ///< takes the rows of TickColumns; null: none
    RowSink* drives = nullptr;     ///< takes those of DriveColumns; null: none
    std::unique_ptr<LoopHealth> health = nullptr;  ///< null: not recorded
  };

  /// The part of a snapshot of the loop that belongs to this port, without the open row of
  /// a tick.
  struct State {
    std::int64_t written = 0;  ///< drives, of the run
    TimePoint sensed_at{};
    bool fresh = false;    ///< read since the last write
    bool trusted = false;  ///< the last read can be trusted
    /// kInterlock (index: of the site's file; value: its InterlockReaction) if an input of
    /// the rig was active at the last read. In no snapshot.
    Fault interlock;
    Measurement sensed;  ///< accepted last
    DriveInForce given;  ///< written last
    bool any_given = false;
    /// Written last while fresh measurements came. Real equipment has no snapshot: this is
    /// in none.
    ActuatorVector confirmed{};
    /// Of `written`, the rows without a drive: one that a person states, and a doubt. Real
    /// equipment alone has them: in no snapshot.
    std::int64_t undriven = 0;
    /// The equipment is there: it has answered, and since then neither tripped nor been
    /// silent for two reads. In no snapshot.
    bool answers = true;
    int unanswered = 0;  ///< reads in a row that nothing fresh came to. In no snapshot
    /// No drive was written since the last hold: real equipment may have been moved by its
    /// own controls meanwhile. In no snapshot.
    bool held = false;
  };

  /// @param adapter  outlives this, and the sinks of `settings` do
  RigPort(SiteAdapter& adapter, Settings settings);

  /// @returns kAdapter (value: the AdapterStatus) where nothing fresh and whole came
  Fault read(TimePoint now) noexcept;
  const Measurement& reading() const noexcept {
    return reading_;
  }  ///< as it came, unjudged
  /// Reads the rig while nothing drives it, for its interlocks and the readings that are
  /// told. What was sensed last stays, and with it the position that the next drive joins.
  /// @returns kInterlock if an input is active; a read that fails is no fault
  Fault look(TimePoint now) noexcept;
  /// The reading can be trusted: it is what was sensed.
  void accept(TimePoint now) noexcept;
  const Measurement& sensed() const noexcept { return state_.sensed; }  ///< accepted last
  /// Returns the other measurements of the rig.
  std::span<const double> auxiliary_channels() const noexcept {
    return adapter_.auxiliary_channels();
  }
  /// Returns the accelerations of the specimen (SiteAdapter::accelerations).
  std::span<const double> accelerations() const noexcept {
    return adapter_.accelerations();
  }

  /// Opens the row of the tick of the next drive; the measurement after it closes the row.
  /// @returns the place of the coefficients in the row; empty if they are not recorded
  std::span<double> open_row(const ActuatorVector& stroke,
                             const ActuatorVector& command) noexcept {
    row_.open(state_.written, stroke, command);
    return row_.coefficients();
  }
  /// @returns false if it was lost
  bool close_row() noexcept {
    return row_.close(state_.sensed, adapter_.auxiliary_channels());
  }

  /// Drives the rig; the drive is on record before.
  /// @param stroke, command  that it is for [m | rad]
  /// @returns kAdapter if the rig did not obey, or kJournal if the row was lost
  Fault write(const ActuatorVector& drive, const ActuatorVector& stroke,
              const ActuatorVector& command) noexcept;
  /// Requests the rig to stay at its position.
  void hold() noexcept {
    state_.held = true;
    adapter_.hold();
  }

  bool real_equipment() const noexcept { return real_; }
  bool fresh() const noexcept { return state_.fresh; }      ///< read since the last write
  bool trusted() const noexcept { return state_.trusted; }  ///< the last read is sensed()
  bool stale() const noexcept { return adapter_.stale_reads() > 0; }  ///< an older one

  /// Returns the drive that the equipment reported at the last read.
  std::optional<ActuatorVector> reported() const noexcept;
  /// Returns the last drive; empty if it is unknown.
  std::optional<DriveInForce> given() const noexcept;
  /// By others, before this loop.
  void stood(const DriveInForce& before) noexcept;
  /// Takes the drive that a person read off the equipment's controller. Recorded as if it
  /// had been written.
  void told(const ActuatorVector& drive) noexcept;
  void forget_given() noexcept { state_.any_given = false; }
  /// Reports an unknown drive: the position at the last valid read as the measurement, and
  /// the last drive as the command.
  void report_drive(ActuatorReport& report) const noexcept;

  /// Another part of the run, or another run, begins with a read.
  /// @param written  drives so far
  void begin_again(std::int64_t written) noexcept;

  /// Null: not recorded.
  LoopHealth* health() const noexcept { return health_.get(); }

  State& state() noexcept { return state_; }
  const State& state() const noexcept { return state_; }
  void save_row(SnapshotWriter& snapshot) const { row_.save(snapshot); }
  void restore_row(SnapshotReader& snapshot) { row_.restore(snapshot); }

 private:
  bool keep() noexcept;
  void doubt() noexcept;

  SiteAdapter& adapter_;
  bool real_;
  Eigen::Index load_cells_;
  TickRows row_;
  RowSink* drives_;
  record::DriveColumns drive_columns_;
  std::vector<double> drive_row_;
  std::unique_ptr<LoopHealth> health_;
  Measurement reading_;
  State state_;
};

}  // namespace trestle::site_node
