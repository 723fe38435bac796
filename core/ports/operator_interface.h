#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/types/announcement.h"
#include "core/types/arming_status.h"
#include "core/types/note.h"
#include "core/types/participant.h"
#include "core/types/rig_report.h"
#include "core/types/rig_request.h"

namespace trestle {

/// One wait of a node: for which node or person, since when, until when, and the
/// consequence.
struct PendingWait {
  std::string whom;    ///< "site east (tcp://lab-east:7001)", "the operator", ...
  std::string what;    ///< "answer to step 412", "word to arm", ...
  double since = 0.0;  ///< age of the wait [s]
  double until = 0.0;  ///< time left [s]; infinity: no limit
  std::string then;    ///< "the test holds", "the test is stopped", ...
};

/// State of another node, as this node knows it.
struct PeerStatus {
  std::string name;        ///< name of the site, or "integrator"
  std::string where;       ///< its address
  std::string state;       ///< OFFLINE, ..., FAULT: as last reported
  std::int64_t step = -1;  ///< last step to which it responded
  double heard = 0.0;      ///< age of its last message [s]; negative: none yet
  std::string rig = {};    ///< "moves", "asked to hold" or "holds"; empty: unknown
  /// Its transducers over the second before its last message; empty: unknown. Of a channel
  /// besides displacements and forces the newest value, with a deviation of NaN.
  std::vector<RigReading> readings = {};
};

/// State of a node, for `trestle status` and `trestle why`.
struct NodeStatus {
  std::string node;     ///< "integrator", or the site's name
  std::string test;     ///< empty: none
  std::string session;  ///< hexadecimal; empty: none
  std::string state;   ///< OFFLINE, CONNECTED, ..., FAULT; an integrator's: CONNECTING, ...
  std::string reason;  ///< why it holds or is in FAULT; otherwise empty
  std::int64_t step = -1;          ///< last completed step
  std::int64_t steps = 0;          ///< planned
  double time_step = 0.0;          ///< [s]
  std::vector<PeerStatus> peers;   ///< one entry per other node
  std::vector<PendingWait> waits;  ///< empty: the node waits for nothing
  /// "moves"; "asked to hold": not confirmed yet; "holds": a control cycle was completed
  /// since; empty: this node has no rig.
  std::string rig = {};
  /// The present or last command to the rig of a site between two tests; no value: there
  /// was none.
  std::optional<RigReport> commanded = {};
  /// Of an integrator that waits for the command to arm, or for one to resume that the
  /// test's arming applies to; otherwise no value.
  std::optional<ArmingStatus> arming = {};
  /// The people of the test, as its file states them; an integrator's only.
  std::vector<Participant> participants = {};
  /// The sites whose twins stand for them (twin_notice()); an integrator's only.
  std::vector<std::string> twins = {};
  /// A person's last message to all (Note::to_all); number 0: none in this test.
  Announcement said = {};
};

/// A node that an operator queries and commands while it runs.
///
/// Thread: the one that drives the node, between two ticks. A command returns an empty text
/// if the node follows it, otherwise one sentence with the reason and the remedy. `by` is
/// the person who gives the command, for the audit: "user at host".
class OperatorInterface {
 public:
  virtual ~OperatorInterface() = default;

  /// Returns the state of the node.
  virtual NodeStatus status() const = 0;

  /// Permits real equipment to move. If two persons must, the first command only counts.
  virtual std::string arm(const std::string& by) = 0;
  /// Records that a person confirms an item of the checklist before arming.
  /// @param item  its text
  /// @param at    UTC, as 2026-11-27T09:12:03.120Z
  virtual std::string confirm(const std::string& by, const std::string& item,
                              const std::string& at) {
    (void)by;
    (void)item;
    (void)at;
    return "there is no checklist here; it is confirmed at the integrator: trestle arm";
  }
  /// Records that a person lets an item of the checklist be left undone.
  /// @param item    its text
  /// @param reason  never empty
  /// @param at      UTC, as 2026-11-27T09:12:03.120Z
  virtual std::string waive(const std::string& by, const std::string& item,
                            const std::string& reason, const std::string& at) {
    (void)by;
    (void)item;
    (void)reason;
    (void)at;
    return "there is no checklist here; it is waived at the integrator: trestle arm";
  }
  /// Holds all rigs; the test can be resumed.
  virtual std::string hold(const std::string& by, const std::string& reason) = 0;
  /// Continues a test that holds, at the same step.
  virtual std::string resume(const std::string& by) = 0;
  /// Ends the test safely; it cannot be resumed.
  virtual std::string stop(const std::string& by, const std::string& reason) = 0;
  /// Clears a latched fault; only at a site.
  virtual std::string clear(const std::string& by) = 0;
  /// Clears a latched fault and states the drive that the equipment has in force, if the
  /// site cannot know it.
  /// @param by     person who gives the command
  /// @param drive  "14.94 mm, -3 mm" or "measured"; empty: not stated
  virtual std::string clear_from(const std::string& by, const std::string& drive) {
    return drive.empty() ? clear(by) : "nobody asks for the drive in force here";
  }

  /// Records a remark of a person, or sends it to all nodes of the test (Note::to_all).
  /// Nothing else changes.
  virtual std::string note(const std::string& by, const Note& note) {
    (void)by;
    (void)note;
    return "no record is kept here; write the note at the integrator or at a site";
  }

  /// The last command was accepted and waits for the equipment: its outcome follows.
  virtual bool command_under_way() const noexcept { return false; }
  /// Returns that outcome, once: empty, or one sentence with the reason why the command was
  /// not executed after all. No value: not known yet.
  virtual std::optional<std::string> take_outcome() { return std::nullopt; }

  /// Commands the rig of a site between two tests. Only at a site.
  virtual std::string command_rig(const std::string& by, const RigRequest& request) {
    (void)by;
    (void)request;
    return "this process serves no site; the rig of a site is commanded there: trestle rig "
           "... SITE, on the site's host";
  }
};

}  // namespace trestle
