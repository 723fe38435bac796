#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_follower.h"
#include "observe/geometry/structure_geometry.h"
#include "observe/live/recorded_acts.h"
#include "observe/live/recorded_arming.h"
#include "observe/live/step_ledger.h"
#include "observe/live/test_follower.h"
#include "observe/web/node_link.h"
#include "observe/web/row_store.h"

namespace trestle::web {

struct NumberedEvent {
  std::int64_t id = 0;  ///< from 1, ascending
  journal::JournalEvent event;
  std::string who = {};  ///< of a note; empty: not known
};

/// Rows that were overwritten before they were read.
struct RowGap {
  std::string stream;
  std::int64_t first = 0;  ///< index of the first
  std::uint64_t count = 0;
};

/// One record that pages look at, of a test that runs or has ended: how it stands, its
/// events, and its rows. Reads and never writes.
///
/// Thread: one at a time. Blocks on the file system only.
class WatchedRecord {
 public:
  explicit WatchedRecord(std::string folder);

  /// Looks once: reads what is new.
  /// @param now     of the wall clock, from any beginning [s]
  /// @param answer  of the process that serves the folder
  void look(double now, NodeAnswer answer);

  const std::string& folder() const noexcept { return folder_; }
  const live::TestView& view() const noexcept { return test_.view(); }
  /// Null: no journal yet.
  const journal::JournalFollower* journal() const noexcept { return journal_.get(); }

  /// State of the node; without one COMPLETE, STOPPED, HELD or CUT OFF;
  /// NOT KNOWN if another user's process serves the folder.
  std::string state() const;
  /// The first sentence of why it is so.
  std::string why() const;
  /// The command that helps; empty: none is needed, or only the node knows it.
  std::string help() const;
  /// No step was completed for a second: the newest rows may be shown although more belong
  /// to their bucket.
  bool is_quiet() const noexcept;

  /// Where the structure is, as effective.yaml beside the record states it. Reads the file
  /// once a session.
  const geometry::StructureGeometry& geometry();

  /// The highest use of each limit of an actuator of the view, since watching began.
  const std::vector<live::LimitUsage::Uses>& highest() const noexcept { return highest_; }
  /// The same since the last call.
  std::vector<live::LimitUsage::Uses> take_highest();

  /// Where the time of the steps goes, site by site; empty: the record has no ledger.
  const std::vector<live::SiteAccounts>& accounts() const noexcept;
  /// Responses that were missed, of all sites; nothing: the record has no ledger.
  std::optional<std::uint64_t> missed() const noexcept;

  /// Who armed the test; nobody: it was not armed yet.
  const live::RecordedArming& arming() const noexcept { return audit_.arming; }
  /// What people did to the test, oldest first.
  const std::vector<live::RecordedAct>& acts() const noexcept { return audit_.acts; }
  /// Faults since the record began, of its node and of those that it heard of.
  std::size_t faults() const noexcept { return faults_; }

  const std::vector<NumberedEvent>& events() const noexcept { return events_; }
  const std::vector<RowGap>& gaps() const noexcept { return gaps_; }

  /// The rows of a stream; from the first call on they are followed. Null: no such stream.
  RowStore* rows(const std::string& stream);

  /// Rows that the process has recorded and not yet committed, per followed stream.
  std::map<std::string, std::int64_t> rows_behind() const;

 private:
  void follow_journal();
  void keep_highest();
  void take_events();

  std::string folder_;
  live::TestFollower test_;
  NodeAnswer answer_;
  std::unique_ptr<journal::JournalFollower> journal_;
  std::optional<live::StepLedger> ledger_;  // of this journal and session
  std::string session_;
  std::optional<geometry::StructureGeometry> geometry_;  // of that session
  std::optional<double> refreshed_;
  std::optional<double> unanswered_since_;
  double now_ = 0.0;
  std::map<std::string, std::unique_ptr<RowStore>> stores_;
  std::vector<NumberedEvent> events_;
  std::vector<journal::JournalEvent> taken_;  // not numbered yet
  std::map<std::string, std::size_t> notes_;  // how many there are of each text
  std::int64_t last_event_ = 0;
  std::size_t faults_ = 0;
  struct Audit {
    live::RecordedArming arming;
    std::vector<live::RecordedAct> acts;
    bool settles = false;  // an act may be committed behind its event
  };
  Audit audit_;
  std::vector<RowGap> gaps_;
  std::vector<live::LimitUsage::Uses> highest_;
  std::vector<live::LimitUsage::Uses> since_taken_;
};

using WatchedRecords = std::vector<std::unique_ptr<WatchedRecord>>;

}  // namespace trestle::web
