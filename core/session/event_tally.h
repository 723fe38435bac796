#pragma once

#include <cstdint>
#include <string>

#include "core/base/time.h"

namespace trestle::session {

/// Limits how often one kind of event fills a record if a peer causes thousands. The first
/// events of a period are recorded one by one; the others are counted and recorded in one
/// line at the end of the period.
class EventTally {
 public:
  static constexpr int kOneByOne = 16;
  static constexpr Duration kPeriod = std::chrono::seconds(10);

  explicit EventTally(const char* kind) : kind_(kind) {}

  const char* kind() const noexcept { return kind_; }

  /// @returns whether the event is recorded separately
  bool add(TimePoint now, const std::string& text) {
    if (told_ == 0 || (now - since_ >= kPeriod && counted_ == 0)) {
      since_ = now;
      told_ = 0;
    }
    if (told_ < kOneByOne) {
      ++told_;
      return true;
    }
    if (counted_++ == 0) first_ = text;
    return false;
  }

  /// Returns true if a sum is due. @param all  also if its period is not over
  bool due(TimePoint now, bool all = false) const noexcept {
    return counted_ > 0 && (all || now - since_ >= kPeriod);
  }

  /// "2984 more within 10 s, the first: no Envelope". A new period begins. @pre due()
  std::string sum(TimePoint now) {
    const std::string text = std::to_string(counted_) + " more within " +
                             std::to_string((now - since_) / std::chrono::seconds(1)) +
                             " s, the first: " + first_;
    counted_ = 0;
    told_ = 0;
    return text;
  }

 private:
  const char* kind_;
  TimePoint since_{};
  int told_ = 0;              ///< one by one, in this period
  std::int64_t counted_ = 0;  ///< alone
  std::string first_;         ///< of those
};

}  // namespace trestle::session
