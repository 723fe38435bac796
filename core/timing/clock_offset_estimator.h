#pragma once

#include "core/base/time.h"
#include "core/timing/lower_convex_hull.h"
#include "core/types/sync_timestamps.h"

namespace trestle::timing {

/// The assumptions about the two clocks; the bound is valid only if they are true.
struct SessionClockSettings {
  /// The rates of the clocks differ by no more, at any time, either way [s/s]. Crystals:
  /// 200 ppm for two; Linux steers a clock that is kept by up to 500 ppm.
  double largest_drift = 500e-6;
  /// From a window ago to half a window ahead, that difference stays so near to a middle
  /// value, either way [s/s]. Warmth moves a crystal by 0.1 ppm per kelvin, chrony steers a
  /// settled clock by a few ppm. Where the exchanges show more, more is used from then on.
  double max_frequency_wander = 3e-6;
  /// How far back exchanges are used; between half of it and the whole.
  Duration window = std::chrono::seconds(60);
};

/// Estimates offset and drift of the other end's clock, with a bound on the error.
///
/// The only assumption about messages is that they arrive after they were sent: the way
/// there bounds the offset from above at `sent`, the way back from below at `received`.
/// Every pair of offset and drift that no exchange of the window contradicts is possible (a
/// polygon, whose corners a linear programme finds; after Moon, Skelly and Towsley 1999,
/// and the convex hull of Zhang, Liu and Xia 2002), offset() is the middle of the possible
/// ones and bound() half their width, at least half of the shortest round trip, plus what
/// is not known of the drift times the age. No delay is assumed alike both ways. A queue, a
/// heavy tail or a lost message can only leave the bound wider, never wrong.
///
/// The best that any method can state is half of the least delay there plus the least back:
/// with the other's clock shifted by as much, delays that are none below zero give the very
/// same stamps.
///
/// An exchange that no offset explains, even with the largest drift, means that a clock was
/// set: the estimator discards all earlier exchanges and starts with this one. It cannot
/// distinguish a jump smaller than the bound from delay. Fixed size; add() takes about a
/// microsecond.
class ClockOffsetEstimator {
 public:
  explicit ClockOffsetEstimator(const SessionClockSettings& settings = {}) noexcept
      : settings_(settings), wander_(settings.max_frequency_wander) {}

  /// One more two-way exchange, in the order of `received`. Nonsense is left out.
  void add(const TimestampExchange& exchange) noexcept;

  /// Something is known.
  bool ready() const noexcept { return ready_; }

  /// The other's clock less our own, at our own time `own`.
  Duration offset(TimePoint own) const noexcept;

  /// Upper bound of |offset() − true offset|; Duration::max() before the first exchange.
  Duration bound(TimePoint own) const noexcept;

  TimePoint to_other(TimePoint own) const noexcept;
  TimePoint to_own(TimePoint other) const noexcept;

  /// How much faster the other's clock runs [s/s].
  double drift() const noexcept { return 0.5 * (least_drift_ + most_drift_); }

  /// Forgets everything: the other end was restarted.
  void restart() noexcept;

 private:
  /// The result of the exchanges since `begun`.
  struct Generation {
    TimePoint begun{};
    LowerConvexHull above;                ///< offset at `sent`, at most
    LowerConvexHull below;                ///< less the offset at `received`, at most
    Duration shortest = Duration::max();  ///< round trip

    void clear() noexcept;
  };
  /// A drift, the offsets that it allows at reference_, and between which exchanges.
  struct OffsetInterval {
    double most = 0.0;   ///< less base_ [ns]
    double least = 0.0;  ///< less base_ [ns]
    double slope = 0.0;  ///< of (most − least) over the drift [ns]
  };

  bool is_plausible(const TimestampExchange& exchange) const noexcept;
  void begin(const TimestampExchange& exchange) noexcept;
  void discard_old(TimePoint now) noexcept;
  bool settle() noexcept;
  bool solve() noexcept;
  bool extreme_drift(double start, double& drift, OffsetInterval& cut) const noexcept;
  OffsetInterval cut(double drift) const noexcept;

  SessionClockSettings settings_;
  Generation older_;    // what answers are made of
  Generation younger_;  // takes its place when it is too old
  bool ready_ = false;
  double wander_ = 0.0;    // as taken for granted, or as the exchanges show [s/s]
  TimePoint life_{};       // `sent` of the exchange that this life of the clock began with
  TimePoint reference_{};  // `received` of the latest exchange
  std::int64_t base_ =
      0;                // offset from which the doubles count, so that they are small [ns]
  double least_ = 0.0;  // offset at reference_, less base_ [ns]
  double most_ = 0.0;
  double least_drift_ = 0.0;
  double most_drift_ = 0.0;
};

}  // namespace trestle::timing
