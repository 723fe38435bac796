#include "core/journal/journal_queues.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

using RingKind = RingFile::Kind;

constexpr std::size_t kEvents = 256;
constexpr std::size_t kAudits = 64;
// Of a stream with few rows a second. They are wide, and their room is on the disk.
constexpr std::size_t kRareRows = 1024;

QueueMemory memory_for(RingFile& rings, RingKind kind, std::size_t entries,
                       std::size_t bytes) {
  return QueueMemory(rings.add(kind, "", 0, entries, bytes));
}

}  // namespace

JournalQueues::JournalQueues(const std::string& journal, const std::string& session,
                             std::size_t rows, JournalFile& file)
    : journal_(journal),
      rows_(rows),
      rings_(RingFile::path_beside(journal), session),
      events_(
          kEvents,
          memory_for(rings_, RingKind::kEvents, kEvents, EventQueue::area_bytes(kEvents)),
          file.last_event()),
      audits_(
          kAudits,
          memory_for(rings_, RingKind::kAudit, kAudits, AuditQueue::area_bytes(kAudits)),
          file.last_audit()) {}

RowQueue& JournalQueues::add_rows(int number, const std::string& name,
                                  std::size_t channels) {
  const std::size_t rows =
      name == stream_name::kHealth ? std::min(rows_, kRareRows) : rows_;
  QueueMemory area(rings_.add(RingKind::kRows, name, channels, rows,
                              RowQueue::area_bytes(channels, rows)));
  streams_.push_back(
      {number, name, std::make_unique<RowQueue>(channels, rows, std::move(area))});
  return *streams_.back().ring;
}

void JournalQueues::save_state(std::int64_t step, std::span<const double> state) {
  try {
    states_.save(rings_, step, state);
  } catch (const std::length_error& error) {
    throw std::runtime_error("journal " + journal_ + ": " + error.what());
  }
}

bool JournalQueues::is_due() const noexcept {
  if (events_.size() > 0 || audits_.size() > 0) return true;
  return std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 4 >= stream.ring->capacity();
  });
}

bool JournalQueues::has_room() const noexcept {
  return std::all_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
    return stream.ring->size() * 2 <= stream.ring->capacity();
  });
}

bool JournalQueues::take() noexcept {
  states_.take();
  events_taken_ = events_.size();
  audits_taken_ = audits_.size();
  return events_taken_ > 0 || audits_taken_ > 0 || states_.taken() ||
         std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.ring->size() > 0; });
}

void JournalQueues::write_to(JournalFile& file) {
  if (const auto& state = states_.taken()) file.save_state(state->step, state->values);
  for (std::size_t at = 0; at < events_taken_; ++at)
    file.add_event(events_.number(at), events_.event(at));
  for (std::size_t at = 0; at < audits_taken_; ++at) file.add_audit(audits_.record(at));
  for (Stream& stream : streams_) {
    stream.taken = 0;
    for (const std::span<const std::byte> rows : stream.ring->rows()) {
      file.append(stream.number, rows);
      stream.taken += rows.size() / stream.ring->row_bytes();
    }
  }
}

void JournalQueues::remove_written() noexcept {
  states_.discard_taken();
  events_.pop(events_taken_);
  audits_.pop(audits_taken_);
  for (const Stream& stream : streams_) stream.ring->pop(stream.taken);
}

bool JournalQueues::lost_any() const noexcept {
  return lost_events() > 0 ||
         std::any_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.ring->lost() > 0; });
}

std::uint64_t JournalQueues::lost_rows() const noexcept {
  std::uint64_t lost = 0;
  for (const Stream& stream : streams_) lost += stream.ring->lost();
  return lost;
}

std::string JournalQueues::loss() const {
  for (const Stream& stream : streams_)
    if (stream.ring->lost() > 0)
      return "journal " + journal_ + ": " + std::to_string(stream.ring->lost()) +
             " rows of `" + stream.name +
             "` were lost, the disk was slower than the test; use a faster disk, or keep "
             "fewer ticks (recording.ticks)";
  return "journal " + journal_ + ": " + std::to_string(lost_events()) +
         " events were lost, the disk was slower than the test; use a faster disk";
}

void JournalQueues::mark_failed() noexcept {
  for (const Stream& stream : streams_) stream.ring->mark_failed();
}

}  // namespace trestle::journal
