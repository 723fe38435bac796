#include "core/journal/leftovers.h"

#include <filesystem>
#include <optional>

#include "core/journal/audit_queue.h"
#include "core/journal/event_queue.h"
#include "core/journal/journal_file.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_schema.h"
#include "core/journal/queue_memory.h"
#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"
#include "core/journal/row_queue.h"
#include "core/journal/state_buffer.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

bool belongs(const RingFile& ring, const std::string& journal) {
  if (!std::filesystem::exists(journal)) return false;
  const JournalReader reader(journal);
  return reader.schema() == kJournalSchema && !reader.meta(meta_key::kEnded) &&
         reader.meta(meta_key::kSession).value_or("") == ring.session();
}

/// Rows that the journal has already were committed right before the end.
void adopt_rows(const RingFile::Area& area, JournalFile& journal) {
  const std::optional<int> stream = journal.find(area.name);
  if (!stream || area.memory.size() < RowQueue::area_bytes(area.width, area.room)) return;
  const RowQueue ring(area.width, area.room, QueueMemory(area.memory));
  if (ring.size() > ring.capacity()) return;
  journal.add_to_count(meta_key::kLostRows, ring.lost());
  for (std::span<const std::byte> rows : ring.rows()) {
    const std::optional<std::int64_t> last = journal.last(*stream);
    while (!rows.empty() && last && row_index(rows) <= *last)
      rows = rows.subspan(ring.row_bytes());
    journal.append(*stream, rows);
  }
}

void adopt_events(const RingFile::Area& area, JournalFile& journal) {
  if (area.memory.size() < EventQueue::area_bytes(area.room)) return;
  const EventQueue queue(area.room, QueueMemory(area.memory));
  if (queue.size() > queue.capacity()) return;
  journal.add_to_count(meta_key::kLostEvents, queue.lost());
  const std::int64_t last = journal.last_event();
  for (std::size_t at = 0; at < queue.size(); ++at)
    if (queue.number(at) > last) journal.add_event(queue.number(at), queue.event(at));
}

void adopt_audit(const RingFile::Area& area, JournalFile& journal) {
  if (area.memory.size() < AuditQueue::area_bytes(area.room)) return;
  const AuditQueue queue(area.room, QueueMemory(area.memory));
  if (queue.size() > queue.capacity()) return;
  journal.add_to_count(meta_key::kLostEvents, queue.lost());
  const std::int64_t last = journal.last_audit().sequence;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const AuditRecord record = queue.record(at);
    if (record.sequence > last) journal.add_audit(record);
  }
}

void adopt(const RingFile& ring, JournalFile& journal) {
  std::optional<StateBuffer::View> state;
  for (const RingFile::Area& area : ring.areas()) switch (area.kind) {
      case RingFile::Kind::kRows:
        adopt_rows(area, journal);
        break;
      case RingFile::Kind::kEvents:
        adopt_events(area, journal);
        break;
      case RingFile::Kind::kAudit:
        adopt_audit(area, journal);
        break;
      case RingFile::Kind::kState:
        if (area.memory.size() < StateBuffer::area_bytes(area.room)) break;
        const auto newest = StateBuffer(area.room, area.memory).newest();
        if (newest && (!state || newest->sequence > state->sequence)) state = newest;
        break;
    }
  if (state) journal.save_state(state->step, state->values);
}

/// They are in the journal now. Rows and events have numbers, which show that they are
/// there; a count has none, and the file can be found again if this process dies now.
void forget_losses(const RingFile& ring) {
  for (const RingFile::Area& area : ring.areas())
    if (area.kind != RingFile::Kind::kState && area.memory.size() >= sizeof(RingCounters))
      QueueMemory(area.memory).counters().lost.store(0, std::memory_order_relaxed);
}

}  // namespace

Leftover find_leftover(const std::string& journal) {
  std::optional<RingFile> ring;
  switch (RingFile::find(RingFile::path_beside(journal), ring)) {
    case RingFile::Status::kAbsent:
      return Leftover::kNone;
    case RingFile::Status::kLocked:
      return Leftover::kInUse;
    case RingFile::Status::kStale:
      break;
    case RingFile::Status::kRecoverable:
      if (belongs(*ring, journal)) return Leftover::kRecoverable;
  }
  return Leftover::kForeign;
}

bool recover_ring_file(const std::string& journal) {
  std::optional<RingFile> ring;
  switch (RingFile::find(RingFile::path_beside(journal), ring)) {
    case RingFile::Status::kAbsent:
      return true;
    case RingFile::Status::kLocked:
      return false;
    case RingFile::Status::kStale:
      break;
    case RingFile::Status::kRecoverable:
      if (!belongs(*ring, journal)) break;
      JournalFile into(journal, /*durable=*/true);
      into.begin();
      try {
        adopt(*ring, into);
        into.commit();
        forget_losses(*ring);
      } catch (...) {
        into.rollback();
        throw;
      }
      into.finish();
      ring->remove();
      return true;
  }
  ring->set_aside();
  return true;
}

}  // namespace trestle::journal
