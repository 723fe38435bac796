#include "core/journal/journal_reader.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>

#include "core/base/number_text.h"
#include "core/journal/extent_table.h"
#include "core/journal/journal_schema.h"

namespace trestle::journal {

JournalReader::JournalReader(const std::string& path) {
  if (!std::filesystem::is_regular_file(path))
    throw std::runtime_error("there is no journal " + path);
  database_ = std::make_unique<SqliteDatabase>(path, SqliteDatabase::Access::kRead);
  check_schema(*database_);
  database_->execute("BEGIN");  // one view of it, whatever is written meanwhile
  SqliteStatement meta = database_->prepare("SELECT key, value FROM meta");
  while (meta.step()) meta_.emplace(meta.text(0), meta.text(1));
  read_streams();
}

void JournalReader::read_streams() {
  SqliteStatement streams = database_->prepare("SELECT id, name FROM stream ORDER BY id");
  SqliteStatement channels = database_->prepare(
      "SELECT name, unit FROM channel WHERE stream = ? ORDER BY position");
  while (streams.step()) {
    Stream stream{streams.integer(0), streams.text(1), {}};
    channels.bind(1, stream.id);
    while (channels.step()) stream.channels.push_back({channels.text(0), channels.text(1)});
    channels.reset();
    streams_.push_back(std::move(stream));
  }
}

std::optional<std::string> JournalReader::meta(const std::string& key) const {
  const auto found = meta_.find(key);
  if (found == meta_.end()) return std::nullopt;
  return found->second;
}

std::string JournalReader::required_meta(const std::string& key) const {
  if (const auto value = meta(key)) return *value;
  throw std::runtime_error("journal " + path() + " does not say its `" + key +
                           "`; it is not the journal of a test");
}

double JournalReader::required_number(const std::string& key) const {
  const std::string text = required_meta(key);
  const std::optional<double> value = parse_number(text);
  if (!value || !std::isfinite(*value) || *value <= 0.0)
    throw std::runtime_error("journal " + path() + ": `" + key + "` is " + text +
                             "; must be a positive number");
  return *value;
}

std::vector<std::string> JournalReader::streams() const {
  std::vector<std::string> names;
  for (const Stream& stream : streams_) names.push_back(stream.name);
  return names;
}

bool JournalReader::has_stream(const std::string& stream) const {
  for (const Stream& candidate : streams_)
    if (candidate.name == stream) return true;
  return false;
}

const Channels& JournalReader::channels(const std::string& stream) const {
  return find(stream).channels;
}

std::int64_t JournalReader::row_count(const std::string& stream) const {
  SqliteStatement sum =
      database_->prepare("SELECT coalesce(sum(count), 0) FROM block WHERE stream = ?");
  sum.bind(1, find(stream).id);
  return sum.step() ? sum.integer(0) : 0;
}

RowCursor JournalReader::rows(const std::string& stream) const {
  const Stream& found = find(stream);
  return {*database_, found.id, found.channels.size()};
}

RowCursor JournalReader::rows_after(const std::string& stream, std::int64_t after) const {
  const Stream& found = find(stream);
  return {*database_, found.id, found.channels.size(), after};
}

void JournalReader::visit_extents(const std::string& stream, std::int64_t rows,
                                  std::int64_t from, std::int64_t to,
                                  const std::function<bool(const Extent&)>& take) const {
  const Stream& found = find(stream);
  journal::visit_extents(*database_, {found.id, found.channels.size(), rows, from, to},
                         take);
}

std::optional<std::int64_t> JournalReader::newest_index(const std::string& stream) const {
  SqliteStatement newest = database_->prepare(
      "SELECT last FROM block WHERE stream = ? ORDER BY first DESC LIMIT 1");
  newest.bind(1, find(stream).id);
  if (!newest.step()) return std::nullopt;
  return newest.integer(0);
}

std::vector<JournalEvent> JournalReader::events() const {
  std::int64_t newest = 0;
  return events_after(std::numeric_limits<std::int64_t>::min(), newest);
}

std::vector<JournalEvent> JournalReader::events_after(std::int64_t after,
                                                      std::int64_t& newest) const {
  SqliteStatement select = database_->prepare(
      "SELECT time_ns, node, kind, text, id FROM event WHERE id > ? ORDER BY id");
  select.bind(1, after);
  std::vector<JournalEvent> events;
  while (select.step()) {
    events.push_back({TimePoint(Duration(select.integer(0))), select.text(1),
                      select.text(2), select.text(3)});
    newest = select.integer(4);
  }
  return events;
}

std::vector<AuditRecord> JournalReader::audit() const {
  std::vector<AuditRecord> records;
  if (schema() < kFirstWithAudit) return records;
  SqliteStatement select = database_->prepare(
      "SELECT sequence, utc_ns, who, origin, what, text, digest FROM audit ORDER BY "
      "sequence");
  while (select.step())
    records.push_back({select.integer(0),
                       select.integer(1),
                       {select.text(2), select.text(3), select.text(4), select.text(5)},
                       select.text(6)});
  return records;
}

void JournalReader::copy_to(const std::string& path) const {
  SqliteDatabase target(path, SqliteDatabase::Access::kWrite);
  database_->copy_to(target);
  target.execute("PRAGMA journal_mode = DELETE");  // the copy is one file
}

const JournalReader::Stream& JournalReader::find(const std::string& stream) const {
  for (const Stream& candidate : streams_)
    if (candidate.name == stream) return candidate;
  throw std::runtime_error("journal " + path() + " has no stream `" + stream + "`");
}

}  // namespace trestle::journal
