#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/evaluation/run_report.h"
#include "core/ports/clock.h"
#include "core/ports/node.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/operated.h"
#include "core/ports/recorder.h"
#include "core/ports/transport.h"
#include "core/session/event_tally.h"
#include "core/types/pace_rules.h"
#include "numerical/node/hold.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/recovery.h"
#include "numerical/node/run_end.h"
#include "numerical/node/run_recorder.h"
#include "numerical/node/run_text.h"
#include "numerical/node/run_times.h"
#include "numerical/node/site_peers.h"
#include "numerical/node/step_exchange.h"

namespace trestle {

/// Conducts a test: brings the sites from hello to armed, advances the numerical
/// substructure step by step with their answers, and brings everything to rest at the end
/// or at a fault.
///
/// Every wait has a deadline, and the report names whom it waited for. What a site has not
/// answered is said again with each heartbeat; the site follows it once.
///
/// With L = `latency_steps` step k is closed with the answers to step k − L, and before
/// there are any with those of the opening read when session time is (k + 1)·Δt.
class IntegratorNode final : public Node, public Operated {
 public:
  /// @param transport  peers are the sites, in the order of the settings
  /// @param clock      the one that tick() is handed, for stamps
  IntegratorNode(const IntegratorSettings& settings, NumericalSubstructure& substructure,
                 Transport& transport, Recorder& recorder, const Clock& clock);

  TimePoint tick(TimePoint now) override;
  bool finished() const noexcept override { return phase_ == Phase::kDone; }

  /// An operator wants the end: everything ramps to its safe position.
  void stop(const std::string& reason);

  // The operator's words: integrator_operated.cc.
  Standing standing() const override;
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;

  /// This process leaves the test: all rigs hold, and the record stays unfinished, so that
  /// the test can be resumed from it. At most a second later finished() is true.
  /// @param by    user@host; @param from  where the word came in: "terminal", "signal"
  /// @returns empty if it leaves, else one sentence: why not
  std::string leave(const std::string& by, const std::string& from,
                    const std::string& reason);
  /// As hold() of an operator's, for a word that came in elsewhere.
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);

  /// As stop() of an operator's, for a word that came in elsewhere.
  std::string stop(const std::string& by, const std::string& from,
                   const std::string& reason);

  /// A rig may have moved for this test: there is something to be resumed.
  bool begun() const noexcept;
  /// The test is on its way to its end, or out of it.
  bool ends() const noexcept { return end_.leaving || end_.begun(); }
  /// All rigs hold, or are told to; the test goes on by a person's word.
  bool holds() const noexcept {
    return phase_ == Phase::kHolding || phase_ == Phase::kHeld;
  }
  /// A site with a rig that could break.
  bool real_equipment() const noexcept { return peers_.real_equipment(); }

  std::int64_t steps_done() const noexcept { return exchange_.done(); }
  /// A person is waited for, and time for nothing else.
  bool waits_for_operator() const noexcept {
    return waits_for_arming_ || (phase_ == Phase::kHeld && hold_.needs_word());
  }
  /// Who is waited for, for people: "answer of site east (tcp://lab-east:7001)", or empty.
  std::string waiting_for() const;
  /// How each actuator follows now, on a sliding estimate, for people; empty before steps.
  std::vector<SiteReport> tracking_now() const;
  RunReport report() const;

 private:
  bool limit_shows_instability() const;
  enum class Phase {
    kConnecting,
    kReplaying,  ///< its own record, after a restart
    kOpening,
    kRunning,
    kHolding,     ///< Halt is out, until all have said that they hold
    kHeld,        ///< for sites that are away, or for the operator
    kResuming,    ///< Resume is out
    kCatchingUp,  ///< sites follow recorded targets that their records had lost
    kStopping,
    kDone
  };

  // Before and after the steps: integrator_session.cc.
  void handle(const Incoming& message);
  void note_malformed(const std::string& text);
  void handle_session(SitePeer& peer, const SessionMessage& message);
  void on_hello(SitePeer& peer, const Hello& hello);
  void on_configured(SitePeer& peer, const Configured& configured);
  void on_refusal(SitePeer& peer, const Refusal& refusal);
  void on_busy(const SitePeer& peer, const Busy& busy);
  void on_halt(SitePeer& peer, const Halt& halt);
  void on_heartbeat(SitePeer& peer, const Heartbeat& beat);
  std::string rigs() const;
  void introduce(SitePeer& peer);
  void welcome_back(SitePeer& peer, const Hello& hello);
  void agree_again(SitePeer& peer);
  void fail(RunResult result, const std::string& reason, const std::string& met_by,
            Fault fault);
  void bring_down(RunResult result, const std::string& reason, const std::string& met_by,
                  Fault fault);
  void end(RunResult result, const std::string& reason);
  bool withdraws(RunResult result) const noexcept;
  void withdraw(RunResult result, const std::string& reason);
  void conclude(RunResult result, const std::string& reason);
  void stop_sites();
  void finish();

  // The steps: integrator_node.cc.
  void handle_response(SitePeer& peer, std::size_t site, const StepResponse& response);

  void advance();
  bool armed_by_somebody();
  bool awaits_operator(const SitePeer& peer) const noexcept;
  void arm_again();
  Arm arm_message(const SitePeer& peer) const;
  Stop stop_message() const;
  const char* phase_name() const noexcept;
  const char* then() const noexcept;
  void arm();
  void ask_for_opening_reads();
  void open_run();
  void begin_step(std::int64_t step);
  bool safe() noexcept;
  void wait_or_begin(std::int64_t step);
  void close_step();
  void fail_record();
  std::string rigs_held_at_the_end() const;

  // Holding, and going on: integrator_resume.cc; from the record: integrator_replay.cc.
  void pause(const std::string& reason, const std::string& met_by, const Fault& fault,
             bool operator_decides, const std::string& by = {});
  bool may_go_on() const noexcept;
  void go_on();
  void go_on_now();
  void say_resume(SitePeer& peer);
  void run_on();
  void take_up_record();
  void begin_retelling();
  void replay();
  void catch_up();
  void held_back(const std::string& why);
  void hold_for_the_silent();
  void wait_while_held() noexcept;
  std::string refusal_to_resume(SitePeer& peer, bool stranger, const Hello& hello);
  void repeat(SitePeer& peer, std::size_t site, const StepResponse& response);
  // Out of a test that stays held: integrator_leave.cc.
  void keep_held(RunResult result, const std::string& reason, const std::string& met_by,
                 const Fault& fault);
  void depart(RunResult result, const std::string& reason, const std::string& met_by,
              const Fault& fault, const std::string& by);
  void left();
  bool stays_held() const noexcept;
  std::string with_first_reason(const std::string& reason) const;
  void go_through_lost_steps();
  void stop_for_lost_steps();
  bool begin_catching_up();
  void run_on_from_record();

  // A program elsewhere sets the targets: integrator_driven.cc.
  void await_target(std::int64_t step) noexcept;
  bool follow_source();
  void source_silent();

  void stop_on_missed_responses(const StepExchange::TooManyMisses& missed);

  // Whom it waits for, until when, and what it says meanwhile: integrator_waits.cc.
  Awaited awaited(std::size_t site) const noexcept;
  void note_waits() noexcept;
  bool waiting_for_nobody() const noexcept;
  void check_deadline();
  void back_to_the_operator();
  void wait_for_the_living();
  Duration heartbeat_of(std::size_t site) const noexcept;
  void send_heartbeats();
  void remind(std::size_t site);
  Heartbeat heartbeat_to(const SitePeer& peer) const;
  void compare_system_clocks(std::size_t site);
  TimePoint next_due() const noexcept;
  Duration longest_wait(Duration usual) const noexcept;

  IntegratorSettings settings_;
  const PaceRules& rules_;
  Transport& transport_;
  Recorder& recorder_;
  const Clock& clock_;
  EventTally malformed_{"malformed"};

  Phase phase_ = Phase::kConnecting;
  SitePeers peers_;
  RunRecorder record_;
  RunTimes times_;
  StepExchange exchange_;
  Recovery recovery_;
  Incoming incoming_;

  bool awaits_target_ = false;  ///< of next_step_, from settings_.targets
  TimePoint awaits_target_since_{};
  std::int64_t next_step_ = 0;
  std::vector<TimePoint> compared_;  ///< per site: when system clocks were

  bool started_ = false;
  bool opening_reads_ = false;  ///< Start went out
  bool pausing_ = false;        ///< held to go on, not to be stopped
  bool waits_for_arming_ = false;
  std::string armed_by_;
  std::optional<std::uint64_t>
      unsafe_;  ///< pseudo-dynamic: targets go out when this is secured
  Hold hold_;
  RunEnd end_;
  Halt halt_;
};

}  // namespace trestle
