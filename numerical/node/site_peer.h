#pragma once

#include <optional>
#include <string>

#include "core/ports/transport.h"
#include "core/timing/peer_clock.h"
#include "core/types/message.h"
#include "numerical/node/awaited.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/peer_session.h"
#include "numerical/node/peer_words.h"
#include "numerical/node/site_agreement.h"

namespace trestle::integrator_node {

/// The message that the integrator awaits from a site, and since when.
struct PeerWait {
  Awaited what = Awaited::kNothing;
  std::int64_t step = kInitialStep;
  TimePoint since{};
};

/// The state from which a site's record can resume, as its hello states.
struct ResumePoint {
  bool can_resume = false;
  bool asked_for_past = false;  ///< whether it has a session beside the one it named
  std::int64_t last_step = kInitialStep;
  std::int64_t unexecuted = kInitialStep;  ///< answered last without an execution
};

/// One site as the integrator sees it, and the only one that sends to it.
class SitePeer {
 public:
  /// @param number               its place in the test
  /// @param expected, transport  outlive this
  SitePeer(int number, const SiteSpecification& expected, Transport& transport,
           bool by_system_clocks);

  const SiteSpecification& expected() const noexcept { return *expected_; }
  const std::string& name() const noexcept { return expected_->name; }
  const std::string& where() const noexcept { return expected_->where; }
  bool real_equipment() const noexcept { return agreement.description.real_equipment; }

  void send(const SessionMessage& message, TimePoint now);
  /// Sends a message that does not postpone the next heartbeat.
  void say(const SessionMessage& message);
  /// A target, with the stamps of the exchange.
  /// @param own  time at which it is encoded, or before
  /// @returns when it was handed on
  TimePoint send(StepCommand& command, TimePoint own, TimePoint now) noexcept;
  /// Sends a target from the record, unchanged.
  void send_again(const StepCommand& command, TimePoint now) noexcept;
  /// How long nothing was sent to it.
  Duration silence(TimePoint now) const noexcept { return now - sent_; }
  TimePoint sent_at() const noexcept { return sent_; }
  void begin(TimePoint now) noexcept { sent_ = now; }

  // Round trips: of Configure, then of Arm, then of Start.
  void asked(TimePoint now) noexcept { asked_ = now; }
  void agreed(TimePoint now) noexcept { round_trip_ = now - asked_; }
  void agreed_again(TimePoint now) noexcept;
  void ordered(TimePoint now) noexcept { ordered_ = now; }
  void armed(TimePoint now) noexcept;
  void read(TimePoint now) noexcept { round_trip_ = now - ordered_; }
  Duration round_trip() const noexcept { return round_trip_; }

  /// Said again, a wait begins no later.
  void note_wait(Awaited what, std::int64_t step, TimePoint now) noexcept;
  const PeerWait& wait() const noexcept { return wait_; }

  PeerSession session;
  PeerWords words;
  timing::PeerClock clock;
  SiteAgreement agreement;
  ResumePoint resume_point;
  std::int64_t steps = 0;                ///< answered
  std::optional<TimingStatistics> pace;  ///< said at the end
  std::int64_t heard_hold = 0;           ///< Halt::hold of the last hold by a person there
  bool held_at_end = false;  ///< a person there has held it since the test is ending

 private:
  int number_;
  const SiteSpecification* expected_;
  Transport* transport_;
  TimePoint sent_{};
  TimePoint asked_{};    // for its agreement
  TimePoint ordered_{};  // Arm, then Start
  Duration round_trip_{};
  PeerWait wait_;
};

}  // namespace trestle::integrator_node
