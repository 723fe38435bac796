#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/time.h"
#include "core/record/channel_list.h"
#include "core/record/ledger_timestamps.h"
#include "core/types/record.h"

namespace trestle::record {

/// The columns of one site in the integrator's stream `ledger`: `<site>.i0_ns` ...
/// `<site>.i4_ns`, `<site>.clock_bound_ns`, in whole nanoseconds of session time; not a
/// number where the site was missed.
class LedgerColumns {
 public:
  /// The stamp that ledgers of older programs have not: the target is in the record.
  static constexpr std::size_t kRecorded = 2;

  /// @param first  column of the row at which they begin
  explicit LedgerColumns(const std::string& site, std::size_t first = 0);

  /// Returns the names of the columns after the site's name and a dot, in order.
  static std::span<const char* const> names() noexcept;
  /// Session time at which the step of this row was over.
  static Duration end_of(std::span<const double> row) noexcept;

  const Channels& channels() const noexcept { return channels_.channels(); }
  std::size_t end() const noexcept { return channels_.end(); }

  /// @param zero  session time zero on the integrator's clock
  void pack(const LedgerTimestamps& stamps, TimePoint zero,
            std::span<double> row) const noexcept;
  void unpack(std::span<const double> row, TimePoint zero,
              LedgerTimestamps& stamps) const noexcept;

 private:
  std::size_t first_;
  ChannelList channels_;
};

}  // namespace trestle::record
