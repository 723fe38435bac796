#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ports/row_sink.h"
#include "core/record/ledger_columns.h"
#include "core/record/ledger_timestamps.h"
#include "core/timing/duration_histogram.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::integrator_node {

/// The eleven accounts of a step, in the order of its stamps: each ends where the next
/// begins.
enum class DelayComponent : std::uint8_t {
  kCompute,    ///< step begins -> target ready
  kJournal,    ///< -> target in the record, as safely as the mode wants it
  kEncode,     ///< -> encoded, right before the socket
  kUplink,     ///< -> received at the site
  kWait,       ///< -> its execution starts
  kControl,    ///< -> first drive written
  kActuation,  ///< -> closing measurement read
  kReply,      ///< -> reply begins to be encoded
  kDownlink,   ///< -> received here
  kJoin,       ///< -> last awaited reply in, or the deadline
  kCorrect,    ///< -> the step's answers used
};
inline constexpr std::size_t kDelayAccounts = 11;
const char* name(DelayComponent account) noexcept;

/// Accounts for the time of every step, site by site: twelve stamps, and the accounts
/// between them, whose sum is the whole step in integer nanoseconds (P7). One integer
/// offset per step shifts the stamps of a site, so an error of the clock offset only moves
/// time between uplink and downlink. If a site's response was missed, its accounts end in
/// join: from sending to the deadline.
///
/// Sized at set-up; nothing here allocates per step.
class DelayLedger {
 public:
  using Timestamps = record::LedgerTimestamps;
  using Durations = std::array<Duration, kDelayAccounts>;
  /// Returns the accounts of a completed step.
  static Durations accounts(const Timestamps& stamps) noexcept;

  /// @param sites      their names
  /// @param in_flight  steps that can be open at once, >= 1
  DelayLedger(const std::vector<std::string>& sites, std::size_t in_flight);

  /// Returns the channels of the stream `ledger` (LedgerColumns), site by site.
  Channels channels() const;
  /// @param zero  session time zero on the integrator's clock
  void set_sink(RowSink* sink, TimePoint zero) noexcept;

  void begin(std::int64_t step, TimePoint now) noexcept;
  void target_ready(std::int64_t step, TimePoint now) noexcept;
  void target_recorded(std::int64_t step, TimePoint now) noexcept;
  /// The first time counts.
  void sent(std::int64_t step, std::size_t site, TimePoint now) noexcept;
  /// Stamps that are not in order are none: the site then counts as missed here.
  /// @param offset  the site's clock less ours
  void answered(std::size_t site, const StepResponse& response, Duration offset,
                Duration bound, TimePoint now) noexcept;
  /// The wait for answers ends: all have arrived, or the deadline has passed.
  void joined(std::int64_t step, TimePoint now) noexcept;
  /// The answers were used: the step is over, and its row is written.
  /// @returns false if the row was lost
  bool close(std::int64_t step, TimePoint now) noexcept;

  const timing::DurationHistogram& histogram(std::size_t site,
                                             DelayComponent account) const noexcept;
  const timing::DurationHistogram& whole_steps() const noexcept { return whole_; }
  /// From sending to the answer, without waiting for the tick and without the actuator.
  const timing::DurationHistogram& exchange(std::size_t site) const noexcept {
    return sites_[site].exchange;
  }
  /// Largest bound of the site's clock in any step.
  Duration clock_bound(std::size_t site) const noexcept { return sites_[site].bound; }

 private:
  struct Site {
    record::LedgerColumns columns;
    std::array<timing::DurationHistogram, kDelayAccounts> histograms;
    timing::DurationHistogram exchange;
    Duration bound{};
  };
  struct Step {
    std::int64_t step = kInitialStep;
    std::vector<Timestamps> sites;
  };

  Step& of(std::int64_t step) noexcept;

  std::vector<Site> sites_;
  std::vector<Step> steps_;  ///< a ring
  timing::DurationHistogram whole_;
  RowSink* sink_ = nullptr;
  TimePoint zero_{};
  std::vector<double> row_;
};

}  // namespace trestle::integrator_node
