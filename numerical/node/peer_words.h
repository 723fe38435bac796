#pragma once

#include <cstdint>
#include <string>

#include "core/base/time.h"
#include "core/session/site_state_machine.h"
#include "core/types/message.h"

namespace trestle::integrator_node {

/// The last report of a site about itself, its time, and whether a control loop serves its
/// rig.
class PeerWords {
 public:
  bool says(session::SessionState state) const noexcept {
    return state_ == session::name(state);
  }
  const std::string& state() const noexcept { return state_; }  ///< empty: none
  const std::string& rig() const noexcept { return rig_; }      ///< empty: not said
  TimePoint heard_at() const noexcept { return heard_; }        ///< any word of the session
  /// The last one that had a state; no values: none since restart().
  const Health& health() const noexcept { return health_; }
  /// Time of the last report that a control loop runs.
  TimePoint alive_at() const noexcept { return alive_; }

  /// Discards all reports: it is another process or another session.
  void restart(TimePoint now);
  void heard(TimePoint now) noexcept { heard_ = now; }
  /// An answer: its control loop runs.
  void answered(TimePoint now) noexcept { heard_ = alive_ = now; }
  /// Records a message that states the site's state.
  void tell(session::SessionState state, const char* rig, TimePoint now);
  /// Records the health that the site reports; a site of an older minor version reports
  /// only its presence.
  void hear(const Health& health, TimePoint now);

 private:
  std::string state_;
  std::string rig_;
  std::int64_t cycles_ = 0;  // of its control loop
  Health health_;
  TimePoint heard_{};
  TimePoint alive_{};
};

}  // namespace trestle::integrator_node
