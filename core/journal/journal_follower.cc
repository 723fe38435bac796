#include "core/journal/journal_follower.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

constexpr std::int64_t kNoRow = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kAnyRow = std::numeric_limits<std::int64_t>::max();
// Rows copied from the ring at a time.
constexpr std::size_t kRowsAtOnce = 1024;

}  // namespace

bool JournalFollower::refresh() {
  std::error_code none;
  const auto size = std::filesystem::file_size(path_, none);
  if (none || size == 0) return false;
  read_database();
  const std::string session = meta(meta_key::kSession).value_or("");
  if (!ring_ && !session.empty()) ring_.emplace(RingFile::path_beside(path_), session);
  if (ring_) ring_->refresh();
  return !streams_.empty();
}

void JournalFollower::read_database() {
  const JournalReader reader(path_);
  meta_ = reader.meta();
  for (const std::string& name : reader.streams())
    if (!has_stream(name)) streams_.emplace_back().name = name;
  for (Stream& stream : streams_) {
    stream.channels = reader.channels(stream.name);
    stream.due = true;
  }
  for (JournalEvent& event : reader.events_after(last_event_, last_event_))
    events_.push_back(std::move(event));
}

std::optional<std::string> JournalFollower::meta(const std::string& key) const {
  const auto found = meta_.find(key);
  return found == meta_.end() ? std::nullopt : std::optional(found->second);
}

bool JournalFollower::has_stream(const std::string& stream) const noexcept {
  return std::any_of(streams_.begin(), streams_.end(),
                     [&](const Stream& each) { return each.name == stream; });
}

const Channels& JournalFollower::channels(const std::string& stream) const {
  return const_cast<JournalFollower*>(this)->find(stream).channels;
}

JournalFollower::Stream& JournalFollower::find(const std::string& stream) {
  for (Stream& each : streams_)
    if (each.name == stream) return each;
  throw std::runtime_error("journal " + path_ + " has no stream `" + stream + "`");
}

std::optional<std::int64_t> JournalFollower::newest_index(const std::string& stream) {
  const std::optional<std::size_t> place = ring_ ? ring_->find(stream) : std::nullopt;
  if (place && ring_->pushed(*place) > 0) {
    const RingFollower::Read read =
        ring_->read(*place, ring_->pushed(*place) - 1, kRowsAtOnce, bytes_);
    if (read.rows > 0)
      return row_index(
          std::span<const std::byte>(bytes_).last(row_bytes(ring_->channels(*place))));
  }
  return JournalReader(path_).newest_index(stream);
}

void JournalFollower::start(const std::string& stream, std::int64_t first) {
  Stream& found = find(stream);
  found.last = first == kNoRow ? kNoRow : first - 1;
  found.generation = 0;
  found.due = true;
}

JournalFollower::Taken JournalFollower::follow(const std::string& stream,
                                               const TakeRow& take) {
  Stream& found = find(stream);
  Taken taken;
  const std::optional<std::size_t> place = ring_ ? ring_->find(stream) : std::nullopt;
  const bool in_ring = place && ring_->channels(*place) == found.channels.size();
  if (in_ring) {
    if (found.generation != ring_->generation()) {
      // Rows that only an earlier file had are in the database before the next one begins.
      taken.rows += take_committed(found, kAnyRow, take);
      found.generation = ring_->generation();
      found.next = 0;
    }
    take_ring(found, *place, take, taken);
  }
  if (found.due && !(in_ring && has_ring()))
    taken.rows += take_committed(found, kAnyRow, take);
  found.due = false;
  return taken;
}

void JournalFollower::take_ring(Stream& stream, std::size_t place, const TakeRow& take,
                                Taken& taken) {
  const std::size_t width = row_bytes(stream.channels.size());
  values_.resize(stream.channels.size());
  const std::uint64_t end = ring_->pushed(place);
  while (stream.next < end) {
    const bool joins = stream.next == 0;
    const RingFollower::Read read = ring_->read(place, stream.next, kRowsAtOnce, bytes_);
    if (read.skipped > 0) {
      const std::int64_t below = read.rows > 0 ? row_index(bytes_) : kAnyRow;
      const std::size_t found = take_committed(stream, below, take);
      taken.rows += found;
      if (!joins && read.skipped > found) taken.skipped += read.skipped - found;
    }
    for (std::size_t at = 0; at < bytes_.size(); at += width) {
      const auto row = std::span<const std::byte>(bytes_).subspan(at, width);
      const std::int64_t index = row_index(row);
      if (index <= stream.last) continue;
      if (!values_.empty())
        std::memcpy(values_.data(), row.data() + sizeof index,
                    values_.size() * sizeof(double));
      take({index, values_});
      stream.last = index;
      ++taken.rows;
    }
    stream.next = read.first + read.rows;
    if (read.rows == 0) return;
  }
}

/// The rows of the database above the last one that was given.
std::size_t JournalFollower::take_committed(Stream& stream, std::int64_t below,
                                            const TakeRow& take) {
  const JournalReader reader(path_);
  RowCursor rows = reader.rows_after(stream.name, stream.last);
  std::size_t count = 0;
  while (const std::optional<RecordRow> row = rows.next()) {
    if (row->index >= below) break;
    take(*row);
    stream.last = row->index;
    ++count;
  }
  return count;
}

std::vector<JournalEvent> JournalFollower::take_events() {
  return std::exchange(events_, {});
}

}  // namespace trestle::journal
