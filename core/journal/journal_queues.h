#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/journal/audit_queue.h"
#include "core/journal/event_queue.h"
#include "core/journal/journal_file.h"
#include "core/journal/ring_file.h"
#include "core/journal/row_queue.h"
#include "core/journal/state_queue.h"

namespace trestle::journal {

/// All that is on its way from a node's threads to its journal: rows, events, acts and the
/// newest state. The queues stand in a RingFile beside the journal, so that the death of
/// the process loses none.
///
/// add_rows() belongs to set-up. The queues are pushed to by one thread each; take(),
/// write_to() and remove_written() belong to one other, and what was taken stays in the
/// queues until remove_written().
class JournalQueues {
 public:
  /// @param journal  path of the database; @param session whose ring file it is
  /// @param file     knows the newest event and act of an earlier life
  /// @throws std::runtime_error as RingFile
  JournalQueues(const std::string& journal, const std::string& session, std::size_t rows,
                JournalFile& file);

  /// @param number  of the stream in the journal
  RowQueue& add_rows(int number, const std::string& name, std::size_t channels);

  EventQueue& events() noexcept { return events_; }
  const EventQueue& events() const noexcept { return events_; }
  AuditQueue& audits() noexcept { return audits_; }
  const AuditQueue& audits() const noexcept { return audits_; }
  /// @throws std::runtime_error with one sentence, as StateQueue::save
  void save_state(std::int64_t step, std::span<const double> state);

  /// A queue of rows is a quarter full, or an event or act waits: these are rare, and
  /// somebody may be waiting to read them.
  bool is_due() const noexcept;
  /// Every queue of rows has room for half its rows.
  bool has_room() const noexcept;

  /// What is written next: all that is here now. The state comes first, so that all that
  /// was pushed before it is written with it.
  /// @returns false where there is nothing
  bool take() noexcept;
  /// Into the open transaction. @throws std::runtime_error as JournalFile
  void write_to(JournalFile& file);
  /// What was written is committed.
  void remove_written() noexcept;

  bool lost_any() const noexcept;
  std::uint64_t lost_rows() const noexcept;
  /// Events and acts.
  std::uint64_t lost_events() const noexcept { return events_.lost() + audits_.lost(); }
  /// One sentence. @pre lost_any()
  std::string loss() const;

  /// Rows are refused from now on: the journal can no longer be kept.
  void mark_failed() noexcept;
  /// All is in the journal: the ring file goes.
  void remove_ring_file() noexcept { rings_.remove(); }

 private:
  struct Stream {
    int number;  // in the journal
    std::string name;
    std::unique_ptr<RowQueue> ring;
    std::size_t taken = 0;  // rows
  };

  std::string journal_;
  std::size_t rows_;  // of each stream's queue
  RingFile rings_;
  std::vector<Stream> streams_;
  EventQueue events_;
  AuditQueue audits_;
  StateQueue states_;
  std::size_t events_taken_ = 0;
  std::size_t audits_taken_ = 0;
};

}  // namespace trestle::journal
