#pragma once

#include <functional>
#include <optional>

#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "core/timing/peer_clock.h"
#include "core/types/system_clock_reading.h"

namespace trestle {

/// The integrator as a site sees it: what was said to it and heard from it when, and the
/// comparison of the two clocks.
class IntegratorPeer {
 public:
  /// Of this host; empty: there is none to trust.
  using SystemClock = std::function<std::optional<SystemClockReading>()>;

  /// @param transport  its one peer, 0, is the integrator
  /// @param clock      the one that the node's tick() is handed, for stamps
  /// @param shares_clock  the integrator goes by it, too
  /// @param system      all outlive this
  IntegratorPeer(Transport& transport, const Clock& clock, bool shares_clock,
                 const SystemClock& system)
      : transport_(transport), clock_(clock), system_(system), comparison_(shares_clock) {}

  void begin_tick(TimePoint now) noexcept { now_ = now; }
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
  /// By when it hears from this site again. @param beats  a heartbeat each period, whatever
  /// else was said
  TimePoint next_word(Duration period, bool beats) const noexcept;
  bool is_word_due(Duration period, bool beats) const noexcept;
  /// With the stamps of this moment. @param by_system_clock  of the host, where it has one
  Heartbeat heartbeat(const SessionId& session, bool by_system_clock) const;
  /// A session that nobody else may take over is under way.
  void keep(bool conversing) { transport_.lock_peer(conversing); }

  // --- both clocks ---

  PeerClock& comparison() noexcept { return comparison_; }
  const PeerClock& comparison() const noexcept { return comparison_; }
  /// Session time zero, on the integrator's clock.
  TimePoint session_zero() const noexcept { return session_zero_; }
  void set_session_zero(TimePoint zero) noexcept { session_zero_ = zero; }
  /// Session time zero on this clock, as the two are compared now: far back the comparison
  /// says little.
  TimePoint own_zero() const noexcept;
  /// A session time on this clock.
  TimePoint to_own(TimePoint session_time) const noexcept;

 private:
  Transport& transport_;
  const Clock& clock_;
  const SystemClock& system_;
  PeerClock comparison_;
  TimePoint now_{};
  TimePoint received_{};  // the message that is handled
  TimePoint heard_{};     // of this session
  TimePoint sent_{};
  TimePoint beat_{};  // a heartbeat
  TimePoint session_zero_{};
  bool spoke_ = false;
};

}  // namespace trestle
