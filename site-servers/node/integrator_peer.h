#pragma once

#include <functional>
#include <optional>

#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "core/timing/peer_clock.h"
#include "core/types/system_clock_reading.h"

namespace trestle::site_node {

/// The integrator as a site sees it: the times of the last sent and received messages, and
/// the comparison of the two clocks.
class IntegratorPeer {
 public:
  /// The synchronised clock of this host; empty: none is trusted.
  using SystemClock = std::function<std::optional<SystemClockReading>()>;

  /// @param transport  its one peer, 0, is the integrator
  /// @param clock      the clock of the node's tick(), for stamps
  /// @param shares_clock  the integrator uses it, too
  /// @param system      all outlive this
  IntegratorPeer(Transport& transport, const Clock& clock, bool shares_clock,
                 const SystemClock& system)
      : transport_(transport), clock_(clock), system_(system), comparison_(shares_clock) {}

  /// Notes, too, that the node was not called for longer than it ever waits.
  void begin_tick(TimePoint now) noexcept;
  /// The time of the present tick.
  TimePoint now() const noexcept { return now_; }

  // --- hearing ---

  /// The next message, with the time at which it was received. @returns false: none
  bool receive(ReceivedMessage& into);
  TimePoint received_at() const noexcept { return received_; }
  /// A message of the session came: a sign of life.
  void note_sign_of_life() noexcept { heard_ = now_; }
  TimePoint heard_at() const noexcept { return heard_; }
  Duration silence() const noexcept { return now_ - heard_; }
  /// How long this node itself did not run, where that and not the integrator is why
  /// nothing was heard for `watchdog` [ns]: its process was stopped, or its host gave it no
  /// time. Zero: it was listening.
  Duration away(Duration watchdog) const noexcept;
  /// Takes the stamps of a message that was received.
  void compare_clocks(const Heartbeat& beat);
  void compare_clocks(const StepCommand& command) noexcept;

  // --- speaking ---

  void say(const SessionMessage& message);
  void say_heartbeat(const Heartbeat& beat);
  /// With the stamps of this moment.
  void answer(StepResponse& response);
  bool spoke() const noexcept { return spoke_; }
  TimePoint said_at() const noexcept { return sent_; }
  /// Returns when the integrator must receive the next message of this site. @param beats
  /// a heartbeat each period, whatever else was sent
  TimePoint next_word(Duration period, bool beats) const noexcept;
  bool is_word_due(Duration period, bool beats) const noexcept;
  /// With the stamps of this moment. @param by_system_clock  of the host, where it has one
  Heartbeat heartbeat(const SessionId& session, bool by_system_clock) const;
  /// Prevents another integrator from taking over while a session is open.
  void keep(bool conversing) { transport_.lock_peer(conversing); }

  // --- both clocks ---

  timing::PeerClock& comparison() noexcept { return comparison_; }
  const timing::PeerClock& comparison() const noexcept { return comparison_; }
  /// Session time zero, on the integrator's clock.
  TimePoint session_zero() const noexcept { return session_zero_; }
  void set_session_zero(TimePoint zero) noexcept { session_zero_ = zero; }
  /// Returns session time zero on this clock by the present comparison, which is inaccurate
  /// for distant times.
  TimePoint own_zero() const noexcept;
  /// A session time on this clock.
  TimePoint to_own(TimePoint session_time) const noexcept;

 private:
  Transport& transport_;
  const Clock& clock_;
  const SystemClock& system_;
  timing::PeerClock comparison_;
  TimePoint now_{};
  TimePoint received_{};  // the message that is handled
  TimePoint heard_{};     // of this session
  Duration away_{};       // the last time that it did not run
  TimePoint back_{};      // since then it runs again
  TimePoint sent_{};
  TimePoint beat_{};  // a heartbeat
  TimePoint session_zero_{};
  bool spoke_ = false;
};

}  // namespace trestle::site_node
