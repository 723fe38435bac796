#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/node.h"
#include "core/ports/operator_interface.h"
#include "core/ports/record_chunk_source.h"
#include "core/ports/recording.h"
#include "core/ports/site_adapter.h"
#include "core/ports/transport.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/integrator_peer.h"
#include "site-servers/node/message_notes.h"
#include "site-servers/node/site_handlers.h"
#include "site-servers/node/site_loop.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/site_settings.h"
#include "site-servers/node/step_position.h"

namespace trestle::site_node {

/// One experimental site on the bus: describes itself, agrees on a test, follows its steps,
/// and finally decides what its actuators do. Makes the parts that do this, and passes
/// messages and time to them. In lock-step the node's thread runs the control loop; in the
/// other modes a TimedControlLoop does, maybe on a separate thread.
class SiteNode final : public Node, public OperatorInterface {
 public:
  /// The stores of the present record and of the records of other tests.
  struct Records {
    Recording recording;
    RecordChunkSource* source = nullptr;  ///< for requests between two tests; null: none
  };

  /// @param transport  its one peer, 0, is the integrator
  /// @param clock      the one that tick() is handed, for stamps
  /// @throws SettingError  loading frame and rig have different actuators
  /// @throws std::runtime_error  the kept tare is of another rig
  SiteNode(SiteSettings settings, SiteAdapter& adapter, Transport& transport,
           const Records& records, const Clock& clock);
  ~SiteNode() override {
    rig_.equipment().report({});
    handlers_.service.end();
    loop_.end();
  }

  TimePoint tick(TimePoint now) override;
  /// A session has ended since the node was made.
  bool finished() const noexcept override { return handlers_.end.count() > 0; }

  /// The site server ends, the test does not: the rig is requested to hold, the integrator
  /// is informed who did it, and the record stays unfinished. From then on the node takes
  /// no message, so that nothing moves the rig.
  /// @param by    user@host; @param from source of the command: "terminal", "signal"
  void leave(const std::string& by, const std::string& from, const std::string& reason) {
    handlers_.commands.leave(by, from, reason);
  }
  /// Like hold() of an operator, for a command from another source.
  std::string hold(const std::string& by, const std::string& from,
                   const std::string& reason);
  /// The rig is on its way to a safe position, by Stop or by its safe action.
  bool comes_to_rest() const noexcept;
  /// A session was agreed on and has not ended.
  bool in_session() const noexcept { return session_.live(); }
  bool real_equipment() const noexcept { return rig_.real(); }
  const SessionId& session() const noexcept { return agreed_.configure.session; }
  /// When its integrator spoke last, of this session.
  TimePoint heard() const noexcept { return peer_.heard_at(); }
  /// Returns the facts about the session that another integrator may know.
  Busy busy() const;

  NodeStatus status() const override { return handlers_.status.status(); }
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;
  std::string note(const std::string& by, const Note& note) override;
  std::string clear_from(const std::string& by, const std::string& drive) override;
  std::string command_rig(const std::string& by, const RigRequest& request) override;
  bool command_under_way() const noexcept override {
    return handlers_.clearing.under_way() || handlers_.service.outcome_follows();
  }
  std::optional<std::string> take_outcome() override;

  session::SessionState state() const noexcept { return session_.state(); }
  std::int64_t last_step() const noexcept { return position_.executed; }
  /// Why the site holds or is in FAULT; otherwise empty.
  const std::string& reason() const noexcept { return session_.reason(); }
  /// Returns the request for the drive in force that a person must answer; empty: no
  /// request.
  std::optional<AskedDrive> asks_for_drive() const { return handlers_.question.asked(); }
  /// The wait for the disk of the record; no value: none that is worth a word.
  std::optional<PendingWait> disk_wait() const { return handlers_.status.disk_wait(); }
  /// A thread is in a function of the rig that does not return: neither the rig nor this
  /// may be destroyed. (This one keeps what that thread uses until the process ends.)
  bool rig_hangs() const noexcept { return loop_.hangs(); }

 private:
  TimePoint do_what_is_due(bool heard);

  SiteSettings settings_;
  ReceivedMessage incoming_;
  IntegratorPeer peer_;
  SiteRecorder record_;
  AgreedTest agreed_;
  SiteRig rig_;
  StepPosition position_;
  MessageNotes notes_;
  SiteLoop loop_;
  SiteSession session_;
  SiteHandlers handlers_;
};

}  // namespace trestle::site_node
