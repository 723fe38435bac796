#include "core/journal/journal_recorded_session.h"

#include <cstring>
#include <stdexcept>

#include "core/journal/journal_schema.h"
#include "core/journal/ring_file.h"
#include "core/journal/row_layout.h"
#include "core/types/record_names.h"

namespace trestle::journal {

JournalRecordedSession::JournalRecordedSession(const std::string& path)
    : database_(path, SqliteDatabase::Access::kRead) {
  check_schema(database_);
}

bool JournalRecordedSession::whole() const {
  return fact(meta_key::kBoot) == RingFile::boot_id();
}

std::string JournalRecordedSession::fact(const std::string& key) const {
  SqliteStatement select = database_.prepare("SELECT value FROM meta WHERE key = ?");
  select.bind(1, std::string_view(key));
  return select.step() ? select.text(0) : std::string();
}

Channels JournalRecordedSession::channels(const std::string& stream) const {
  SqliteStatement select = database_.prepare(
      "SELECT channel.name, channel.unit FROM channel JOIN stream "
      "ON channel.stream = stream.id WHERE stream.name = ? ORDER BY channel.position");
  select.bind(1, std::string_view(stream));
  Channels channels;
  while (select.step()) channels.push_back({select.text(0), select.text(1)});
  return channels;
}

std::int64_t JournalRecordedSession::last(const std::string& stream) const {
  SqliteStatement select = database_.prepare(
      "SELECT block.last FROM block JOIN stream ON block.stream = stream.id "
      "WHERE stream.name = ? ORDER BY block.first DESC LIMIT 1");
  select.bind(1, std::string_view(stream));
  return select.step() ? select.integer(0) : kNone;
}

bool JournalRecordedSession::row(const std::string& stream, std::int64_t index,
                                 std::vector<double>& into) {
  Stream* const from = find(stream);
  if (from == nullptr) return false;
  if (!seek(*from, index) && !(read_block(*from, index) && seek(*from, index)))
    return false;
  into.resize(from->channels);
  if (from->channels > 0)
    std::memcpy(
        into.data(),
        from->rows.data() + from->at * row_bytes(from->channels) + sizeof(std::int64_t),
        from->channels * sizeof(double));
  return true;
}

std::optional<RecordedSession::State> JournalRecordedSession::state() const {
  if (database_.number("PRAGMA user_version") < kFirstWithAudit) return std::nullopt;
  SqliteStatement select = database_.prepare("SELECT step, state FROM state");
  if (!select.step()) return std::nullopt;
  State state;
  state.step = select.integer(0);
  const std::span<const std::byte> bytes = select.blob(1);
  state.values.resize(bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(state.values.data(), bytes.data(), bytes.size());
  return state;
}

std::vector<std::string> JournalRecordedSession::events(const std::string& kind) const {
  SqliteStatement select =
      database_.prepare("SELECT text FROM event WHERE kind = ? ORDER BY id");
  select.bind(1, std::string_view(kind));
  std::vector<std::string> texts;
  while (select.step()) texts.push_back(select.text(0));
  return texts;
}

std::vector<AuditEntry> JournalRecordedSession::audits() const {
  if (database_.number("PRAGMA user_version") < kFirstWithAudit) return {};
  SqliteStatement select =
      database_.prepare("SELECT who, origin, what, text FROM audit ORDER BY sequence");
  std::vector<AuditEntry> entries;
  while (select.step())
    entries.push_back({select.text(0), select.text(1), select.text(2), select.text(3)});
  return entries;
}

JournalRecordedSession::Stream* JournalRecordedSession::find(const std::string& stream) {
  const auto known = streams_.find(stream);
  if (known != streams_.end()) return &known->second;
  SqliteStatement select = database_.prepare(
      "SELECT id, (SELECT count(*) FROM channel WHERE stream = id) FROM stream "
      "WHERE name = ?");
  select.bind(1, std::string_view(stream));
  if (!select.step()) return nullptr;
  Stream found;
  found.id = select.integer(0);
  found.channels = static_cast<std::size_t>(select.integer(1));
  return &streams_.emplace(stream, found).first->second;
}

/// The block whose range holds `index`.
bool JournalRecordedSession::read_block(Stream& stream, std::int64_t index) {
  SqliteStatement select = database_.prepare(
      "SELECT rows, last FROM block WHERE stream = ? AND first <= ? "
      "ORDER BY first DESC LIMIT 1");
  select.bind(1, stream.id).bind(2, index);
  if (!select.step() || select.integer(1) < index) return false;
  const std::span<const std::byte> rows = select.blob(0);
  if (rows.size() % row_bytes(stream.channels) != 0)
    throw std::runtime_error("journal " + database_.path() +
                             " is damaged (a block of the wrong length); use a copy of it");
  stream.rows.assign(rows.begin(), rows.end());
  stream.at = 0;
  return true;
}

/// Finds a row in the present block: the next row directly, any other by bisection.
bool JournalRecordedSession::seek(Stream& stream, std::int64_t index) {
  const std::size_t bytes = row_bytes(stream.channels);
  const std::size_t count = stream.rows.size() / bytes;
  const auto index_at = [&](std::size_t at) {
    return row_index(std::span<const std::byte>(stream.rows).subspan(at * bytes));
  };
  if (stream.at + 1 < count && index_at(stream.at + 1) == index) {
    ++stream.at;
    return true;
  }
  std::size_t low = 0;
  std::size_t high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (index_at(middle) < index)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || index_at(low) != index) return false;
  stream.at = low;
  return true;
}

}  // namespace trestle::journal
