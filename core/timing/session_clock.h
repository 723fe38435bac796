#pragma once

#include "core/types/exchange.h"
#include "core/types/time.h"

namespace trestle {

/// The other end's clock as seen from here: offset and drift, with a bound on the error.
class SessionClock {
 public:
  /// One more two-way exchange, in the order of `received`. Nonsense is left out.
  void add(const Exchange& exchange) noexcept;

  /// Something is known.
  bool ready() const noexcept;

  /// The other's clock less our own, at our own time `own`.
  Duration offset(TimePoint own) const noexcept;

  /// |offset() − true offset| is not larger; Duration::max() where nothing is known.
  Duration bound(TimePoint own) const noexcept;

  TimePoint to_other(TimePoint own) const noexcept;
  TimePoint to_own(TimePoint other) const noexcept;

  /// Forgets everything: the other end was restarted.
  void restart() noexcept;
};

}  // namespace trestle
