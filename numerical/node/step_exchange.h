#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/numerical_substructure.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/miss_policy.h"
#include "numerical/node/response_barrier.h"
#include "numerical/node/run_recorder.h"
#include "numerical/node/run_times.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/step_schedule.h"
#include "numerical/node/steps_in_flight.h"

namespace trestle::integrator_node {

/// The treatment of a response.
enum class AnswerVerdict : std::uint8_t {
  kUsed,            ///< it closes its step, or will
  kOpening,         ///< the initial measurement of its site
  kNotUsed,         ///< old, not requested, or the site has executed nothing
  kWrongActuators,  ///< other lengths than were agreed: of the actuators,
  kWrongDofs,       ///< of what was measured,
  kWrongForces,     ///< of the forces
  kNotFinite,       ///< a NaN or an infinity
};

/// The result of opening a step.
enum class OpenVerdict : std::uint8_t {
  kOpened,
  kDiverged,  ///< a target is not finite: none of them is recorded or sent
  kRowLost,   ///< the record lost a row
};

/// The result of closing a step.
enum class CloseVerdict : std::uint8_t {
  kClosed,
  kDiverged,  ///< a computed value is not finite
  kRowLost,   ///< the record lost a row
};

/// One step out to all sites and back: the targets of the open step, the answers that close
/// it, and those that are made up. The only part of the integrator that the numerical
/// substructure is advanced by while the test runs.
///
/// Requests stay where the substructure has put them until their rows are written. Sized at
/// set-up; nothing here allocates per step.
class StepExchange {
 public:
  struct Parts {
    NumericalSubstructure& substructure;
    RunRecorder& recorder;
    SitePeers& peers;
    RunTimes& times;
    const Clock& clock;
  };
  /// An answer that is not in, and is not made up for.
  struct TooManyMisses {
    std::size_t site = 0;
    MissPolicy::Verdict verdict{};
  };

  /// @param settings, parts  outlive this
  StepExchange(const IntegratorSettings& settings, const Parts& parts);

  std::int64_t step() const noexcept { return step_; }  ///< open: its targets went out last
  /// Returns the step whose responses close the open step; below zero: the initial
  /// measurement.
  std::int64_t awaited() const noexcept { return step_ - schedule_->latency(); }
  std::int64_t done() const noexcept { return done_; }  ///< closed steps
  /// The answer that closes the open step is in; before the steps: the initial measurement.
  bool has(std::size_t site) const noexcept { return barrier_.has(site); }
  /// Returns the last step whose response from this site was or will be used.
  std::int64_t answered_by(std::size_t site) const noexcept;
  StepSchedule& schedule() const noexcept { return *schedule_; }
  ResponseBarrier& barrier() noexcept { return barrier_; }
  MissPolicy& misses() noexcept { return misses_; }
  const MissPolicy& misses() const noexcept { return misses_; }

  /// Back to the initial state, and ready for the initial measurements.
  void begin();
  /// All initial measurements are in. @returns kClosed, or what came of it
  CloseVerdict close_opening() noexcept;

  /// Computes the targets of a step, and records them.
  OpenVerdict open(std::int64_t step) noexcept;
  /// Only waits for answers, as behind the last target.
  void await(std::int64_t step) noexcept;
  /// The wait for its answers begins now: what is not in so long after is silence.
  void expect() noexcept;
  /// The targets of the open step, to all sites that have not answered.
  void send() noexcept;
  /// The same to one site, once more.
  void send_again(std::size_t site) noexcept;
  /// The targets of steps of which not every answer is in. A site that has executed one
  /// answers from its record.
  void resend_targets(std::int64_t from, std::int64_t to) noexcept;

  /// @param running  steps are under way, and not only initial measurements
  AnswerVerdict accept(std::size_t site, const StepResponse& response,
                       bool running) noexcept;
  /// The open step may be closed.
  bool ready() const noexcept;
  /// Returns when the step closes even without all responses; max: it waits.
  TimePoint closes() const noexcept { return schedule_->closes(step_, parts_.times.zero); }
  /// Extrapolates the responses that are missing by then. @returns the site that missed too
  /// many
  std::optional<TooManyMisses> make_up() noexcept;
  /// The substructure uses the answers. @pre ready()
  CloseVerdict close() noexcept;

  /// Its excessive_residual() is why open() or close() said kDiverged, if that was not for
  /// a value that is not finite.
  const NumericalSubstructure& model() const noexcept { return parts_.substructure; }

  // For a record that is replayed.
  /// Computes the targets of this step once more. @returns them
  std::span<const SiteTarget> replay(std::int64_t step) noexcept;
  /// Closes it with what was used then.
  void close_replayed(std::int64_t step, std::span<const SiteResponse> answers) noexcept;
  void stand_at(std::int64_t step) noexcept { step_ = step; }
  /// Sets the number of completed steps from a record that is not replayed.
  void count_done(std::int64_t steps) noexcept { done_ = steps; }
  StepsInFlight& in_flight() noexcept { return in_flight_; }

 private:
  void send(std::int64_t step, std::size_t site, TimePoint due) noexcept;

  const IntegratorSettings& settings_;
  Parts parts_;
  std::unique_ptr<StepSchedule> schedule_;
  ResponseBarrier barrier_;
  MissPolicy misses_;
  StepsInFlight in_flight_;
  StepCommand outgoing_;
  std::int64_t step_ = 0;
  std::int64_t done_ = 0;
  TimePoint opened_{};
};

}  // namespace trestle::integrator_node
