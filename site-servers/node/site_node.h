#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/node.h"
#include "core/ports/operator_interface.h"
#include "core/ports/record_chunk_source.h"
#include "core/ports/recorder.h"
#include "core/ports/site_adapter.h"
#include "core/session/event_tally.h"
#include "core/session/site_state_machine.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/arming_checks.h"
#include "site-servers/node/control_loop.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/rig_preparation.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/stall_guard.h"
#include "site-servers/node/step_executor.h"
#include "site-servers/node/timed_control_loop.h"
#include "site-servers/node/timed_steps.h"
#include "site-servers/node/told_drive.h"

namespace trestle {

/// One experimental site on the bus: says who it is, agrees on a test, follows its steps,
/// and has the last word on what its actuators do. In lock-step it runs the control loop
/// itself; in the modes that have a pace a TimedControlLoop does, maybe on a thread of its
/// own.
///
/// Any message may come again, late, or of another session: each is either followed once,
/// answered as before, or leaves everything as it is.
class SiteNode final : public Node, public OperatorInterface {
 public:
  /// @param transport  its one peer, 0, is the integrator
  /// @param records    of the tests before, for whoever asks between two tests; null: none
  /// @param clock      the one that tick() is handed, for stamps
  /// @throws SettingError  where loading frame and rig have different actuators
  SiteNode(SiteSettings settings, SiteAdapter& adapter, Transport& transport,
           Recorder& recorder, RecordChunkSource* records, const Clock& clock);
  ~SiteNode() override;

  TimePoint tick(TimePoint now) override;
  /// A session has been brought to its end since the node was made.
  bool finished() const noexcept override { return sessions_ended_ > 0; }

  /// The server of the site ends, and the test does not: the rig is told to hold, the
  /// integrator hears who did it, and the record stays unfinished. From then on the node is
  /// deaf, so that nothing moves the rig any more.
  /// @param by    user@host; @param from  where the word came in: "terminal", "signal"
  void leave(const std::string& by, const std::string& from, const std::string& reason);
  /// As hold() of an operator's, for a word that came in elsewhere.
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);
  /// The rig is on its way to a safe position, by Stop or by its safe action.
  bool comes_to_rest() const noexcept {
    return session_.in(SessionState::kStopping) ||
           (session_.in(SessionState::kFault) && live_ && !at_rest());
  }
  /// A session was agreed on and has not ended.
  bool in_session() const noexcept { return live_; }
  bool real_equipment() const noexcept { return rig_.real_equipment; }
  const SessionId& session() const noexcept { return agreed_.configure.session; }
  /// When its integrator spoke last, of this session.
  TimePoint heard() const noexcept { return peer_.heard_at(); }
  /// What another integrator may know of the session.
  Busy busy() const;

  // The operator's words: site_operated.cc.
  NodeStatus status() const override;
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;
  std::string clear_from(const std::string& by, const std::string& drive) override;

  SessionState state() const noexcept { return session_.state(); }
  std::int64_t last_step() const noexcept { return last_step_; }
  /// Why the site holds or is in FAULT; empty where it is not.
  const std::string& reason() const noexcept { return reason_; }
  const std::string& test() const noexcept { return agreed_.configure.test; }
  /// Which drive is in force a person has to say; nothing: nobody is asked.
  std::optional<AskedDrive> asks_for_drive() const;
  /// "moves", "asked to hold": it was told to, and nothing confirms it, or "holds"; empty:
  /// nobody has asked anything of it.
  const char* rig() const noexcept;
  /// A thread is in a function of the rig that does not come back: neither the rig nor this
  /// may be destroyed. (This one keeps for ever what that thread uses.)
  bool rig_hangs() const noexcept { return hung_ || guard_->hangs(); }

 private:
  // Before and after a run: site_handshake.cc.
  void handle_session(const SessionMessage& message);
  void on_welcome(const Welcome& welcome);
  void on_configure(const Configure& configure);
  void on_arm(const Arm& arm);
  std::string refusal_to_arm(const Arm& arm);
  void hear_checks();
  void armed();
  SiteDescription description() const;
  void on_start(const Start& start);
  void on_heartbeat(const Heartbeat& beat);
  void on_halt(const Halt& halt);
  void on_stop(const Stop& stop);
  void on_fetch(const RecordRequest& fetch);
  std::string refusal_of(const Configure& configure) const;
  void configure(const Configure& configure);
  void set_up(const Configure& configure);
  void make_loop();
  Channels drives_kept() const;
  void bring_to_end(const std::string& reason);
  bool ends_without_a_person(const Stop& stop) const noexcept;
  void stay_held(const std::string& reason);
  /// Its ticks go by the wall clock.
  bool timed() const noexcept {
    return settings_.loop_executor != nullptr && agreed_.rules->timed_loop;
  }
  bool at_rest() const noexcept;
  bool answer_is_safe() const noexcept;
  void end_session();
  /// It looks at its rig before it is armed.
  bool checks() const noexcept { return checks_ != nullptr && !checks_->given_up(); }
  void give_up_checks();
  void end_checks(const std::string& why);
  void say_hello();

  // Until the rig is ready for a test: site_preparation.cc.
  bool rig_ready_for(const Configure& message);
  bool begins_with_the_rig(const Configure& message) const;
  TimePoint await_rig();
  void prepare_rig();
  void give_up_preparation(const SessionId& session) noexcept;
  bool give_up_preparation(const std::string& why);

  // Going on after a hold or a restart: site_resume.cc.
  void look_back();
  void look_back_further(const Configure& message);
  bool can_resume() const noexcept;
  void on_configure_again(const Configure& configure);
  void rebuild(const Configure& configure);
  void look_for_drive();
  bool may_trust(std::optional<DriveInForce>& given, const ActuatorVector& measured) const;
  std::string take_drive(const std::string& by, const std::string& drive);
  void on_resume(const Resume& resume);
  void give_up_to(std::int64_t next);
  void forget_answer();
  void save_state(std::int64_t step);
  bool answer_from_record(std::int64_t step);
  bool waits_for_record();

  // A person's words: site_operated.cc.
  void halt(const Fault& fault, const std::string& reason, const std::string& by);
  std::string remedy() const;

  // How it is, for others and for itself: site_health.cc.
  Health health();
  void watch_for_stall();
  bool told_to_rest() const noexcept;
  void tell_changes();
  bool come_back();

  // The run: site_node.cc.
  void handle(const ReceivedMessage& message);
  void on_step(const StepCommand& command);
  std::string refusal_of(const StepCommand& command) const;
  void give(const StepCommand& command);
  void execute(const StepCommand& command, const StepTimes& times);
  void send_answer();
  void refuse_target(const Fault& fault, std::int64_t step);
  void trip(const Fault& fault);
  void trip(const Fault& fault, const std::string& sentence);
  void refuse(const std::string& reason, const Fault& fault = {});
  void note_of_peer(EventTally& tally, const std::string& text);
  void tell_sums(bool all);
  void hold_because(const std::string& reason);
  void stand_still();
  void come_to_safety(const Fault& fault);

  // How steps are executed: site_pace.cc.
  TimedSteps timed_steps() const;
  Duration stall() const noexcept;
  TimedLoopSettings timed_loop_settings() noexcept;
  void begin_execution();
  /// The control thread alone reads and writes: whatever hangs there, the site hears.
  bool by_loop() const noexcept { return rig_.real_equipment && agreed_.rules->timed_loop; }
  void finish_execution();
  void use_lockstep();
  void drop_loop() noexcept;
  void order(LoopCommand::Kind kind, TimePoint at = {});
  bool process_loop_events();
  void clear_loop_fault();
  bool hear_events();
  LoopEvent::Kind hear_front();
  void hear_fault(const Fault& fault);
  void ask_for_drive(const ActuatorVector& measured, const ActuatorVector& last);
  void hear_answer(std::int64_t ticks, int place);
  void hear_opened(int place);
  void note(const char* what, std::int64_t step);
  void name_missed();
  TimePoint own_zero() const noexcept;
  void follow_clocks();

  bool ours(const SessionId& session) noexcept;
  bool silent() const noexcept;
  bool conversing() const noexcept { return live_ && !silent(); }
  void watch_for_silence();
  void speak_when_due();
  void say(const SessionMessage& message) { peer_.say(message); }
  void say_heartbeat();
  TimePoint next_due() const noexcept;
  void note_wait() noexcept;
  double waits_since() const noexcept;
  PendingWait wait() const;

  SiteSettings settings_;
  std::unique_ptr<StallGuard> guard_;  ///< of the rig
  SiteAdapter& adapter_;               ///< behind it
  IntegratorPeer peer_;
  SiteRecorder record_;
  RecordChunkSource* records_;
  RigDescription rig_;

  SiteStateMachine session_;
  bool live_ = false;       ///< a session was agreed on and has not ended
  bool ending_ = false;     ///< and ends when the safe action has come to its end
  bool leaving_ = false;    ///< the server ends
  bool left_held_ = false;  ///< the integrator has ended the test, and the rig still holds
  AgreedTest agreed_;
  Stopped stopped_;
  Halt halt_;                                       ///< of the fault that is latched
  std::unique_ptr<Compensator> compensator_;        ///< until the loop has it
  std::unique_ptr<ActuatorController> controller_;  ///< the same
  std::unique_ptr<ControlLoop> loop_;
  std::unique_ptr<StepExecutor> executor_;  ///< of the loop: there where that is
  bool unfinished_ = false;                 ///< it may tick still
  TimePoint session_zero_{};                ///< on the integrator's clock
  TimePoint clocks_followed_{};
  std::int64_t taken_step_ = kInitialStep;  ///< given to the timed loop last
  TimingStatistics pace_account_;
  std::int64_t events_of_pace_ = 0;

  std::unique_ptr<RigPreparation> preparation_;  ///< of real equipment, under way
  std::optional<Configure> awaited_;             ///< the message that it is for
  std::optional<SessionId> ready_for_;           ///< it is done, and this is handled now
  std::string rig_problem_;                      ///< of the last one
  std::optional<RigFound> rig_found_;            ///< by the same
  bool given_up_ = false;                        ///< the test that it is for
  std::unique_ptr<ArmingChecks> checks_;         ///< of real equipment; the loop has them
  bool checked_ = false;  ///< a Stop or another Arm after that needs no other look
  Arm arm_;
  bool agreed_again_ = false;  ///< after a hold, and not yet gone on
  std::optional<InterruptedSession>
      past_;                          ///< a session that was cut off, not yet gone on with
  std::vector<double> state_;         ///< of a timed loop, on its way to the record
  std::vector<std::int64_t> missed_;  ///< steps, not yet named in the record
  SnapshotWriter snapshot_;           ///< of the initial measurement
  std::optional<StepCommandItem>
      unsure_order_;                   ///< its intent is not yet safe from power loss
  bool unsure_answer_ = false;         ///< the same of the last step's result
  std::uint64_t ticket_ = 0;           ///< of the intent
  std::uint64_t answer_ticket_ = 0;    ///< of the last step's result
  bool opening_ = false;               ///< Start came, and its read is under way
  bool hung_ = false;                  ///< the control thread did not end
  std::optional<DriveInForce> stood_;  ///< as the loop before left its rig
  std::optional<UnknownDrive> asks_for_drive_;  ///< a person says it
  ActuatorVector told_drive_;                   ///< said; empty: no

  // What a peer can send by the thousand.
  EventTally malformed_{"malformed"};
  EventTally ignored_{"ignored"};
  EventTally refused_{"refused"};

  ReceivedMessage incoming_;
  StepResponse response_;
  std::int64_t last_step_ = kInitialStep;
  std::int64_t ticks_ = 0;  ///< of the session, closed
  std::string reason_;
  int sessions_ended_ = 0;

  const Clock& clock_;
  TimePoint now_{};
  SessionState told_state_ = SessionState::kOffline;  ///< by a heartbeat
  const char* told_rig_ = "";                         ///< the same
  SessionState waits_in_ = SessionState::kOffline;    ///< in this state,
  std::int64_t waits_behind_ = kInitialStep;          ///< behind this step,
  TimePoint waits_since_{};                           ///< since then
};

}  // namespace trestle
