#include "core/journal/journal_file.h"

#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/base/lasting_file.h"
#include "core/journal/journal_schema.h"
#include "core/journal/row_layout.h"
#include "core/journal/superseded_rows.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

/// Blocks are long: pages larger than SQLite's default of 4096 save a third of the writing
/// thread's time. Effective for a new file only.
constexpr int kPageBytes = 16384;

/// Log pages between checkpoints: few enough to stay small, many enough that the disk is
/// seldom waited for.
constexpr int kCheckpointPages = 1000;

/// Makes a missing journal with its tables and syncs it to the disk before it gets its
/// name. An empty file of that name therefore proves an error. The draft itself is worth
/// nothing, so that it is synced once: peers hear nothing of a node that waits for its
/// disk.
const std::string& made(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  if (fs::exists(path) || !(folder.empty() || fs::is_directory(folder))) return path;
  const std::string draft = path + ".new";
  for (const char* part :
       {"", "-journal", "-wal", "-shm"})  // of a process that was killed in the middle
    fs::remove(draft + part);
  {
    SqliteDatabase database(draft, SqliteDatabase::Access::kWrite);
    database.execute("PRAGMA page_size = " + std::to_string(kPageBytes));
    database.execute("PRAGMA synchronous = OFF");
    database.execute("PRAGMA journal_mode = MEMORY");
    prepare_schema(database);
    database.execute("PRAGMA journal_mode = WAL");
  }
  publish_file(draft, path);
  return path;
}

/// @returns `path`, or with a number behind it: no file of that name exists
std::string unused(const std::string& path) {
  std::string name = path;
  for (int n = 2; std::filesystem::exists(name); ++n) name = path + std::to_string(n);
  return name;
}

void copy(SqliteDatabase& file, const std::string& path) {
  const std::string draft = path + ".part";
  std::filesystem::remove(draft);
  {
    SqliteDatabase database(draft, SqliteDatabase::Access::kWrite);
    file.copy_to(database);
    database.execute("PRAGMA journal_mode = DELETE");  // the copy is one file
  }
  publish_file(draft, path);
}

/// @param file  open, and deleted
/// @returns where else it is, as its place is taken or cannot be written; empty: nowhere
std::string write_again(SqliteDatabase& file) {
  namespace fs = std::filesystem;
  const fs::path path = file.path();
  const fs::path beside = path.string() + ".again";
  try {
    make_folders(fs::absolute(path).parent_path().string());
    if (!fs::exists(path)) {
      // They belong to the file that is gone, and its rows are in the copy.
      for (const char* part : {"-wal", "-shm"}) fs::remove(path.string() + part);
      copy(file, path.string());
      return {};
    }
    const std::string name = unused(beside.string());  // its log is another's, too
    copy(file, name);
    return name;
  } catch (const std::exception&) {
    const std::string name =
        unused((fs::temp_directory_path() / beside.filename()).string());
    copy(file, name);
    return name;
  }
}

}  // namespace

JournalFile::JournalFile(const std::string& path, bool durable, std::int64_t max_pages)
    : database_(made(path), SqliteDatabase::Access::kWrite),
      always_durable_(durable),
      durable_(durable),
      extents_(database_) {
  check_writable(database_);
  database_.execute("PRAGMA page_size = " + std::to_string(kPageBytes));
  database_.execute("PRAGMA journal_mode = WAL");
  database_.execute(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  database_.execute("PRAGMA wal_autocheckpoint = " + std::to_string(kCheckpointPages));
  prepare_schema(database_);
  if (max_pages > 0)
    database_.execute("PRAGMA max_page_count = " + std::to_string(max_pages));
  insert_block_ = database_.prepare(
      "INSERT INTO block(stream, first, last, count, rows) VALUES(?, ?, ?, ?, ?)");
  insert_event_ = database_.prepare(
      "INSERT INTO event(id, time_ns, node, kind, text) VALUES(?, ?, ?, ?, ?)");
  replace_state_ =
      database_.prepare("INSERT OR REPLACE INTO state(id, step, state) VALUES(1, ?, ?)");
}

void JournalFile::add_to_count(const std::string& key, std::uint64_t more) {
  if (more == 0) return;
  const std::string before = meta(key).value_or("0");
  std::uint64_t count = 0;
  std::from_chars(before.data(), before.data() + before.size(), count);
  set_meta(key, std::to_string(count + more));
}

std::optional<std::string> JournalFile::meta(const std::string& key) {
  SqliteStatement value = database_.prepare("SELECT value FROM meta WHERE key = ?");
  value.bind(1, std::string_view(key));
  if (!value.step()) return std::nullopt;
  return value.text(0);
}

void JournalFile::forget_meta(const std::string& key) {
  database_.prepare("DELETE FROM meta WHERE key = ?").bind(1, std::string_view(key)).run();
}

void JournalFile::set_meta(const std::string& key, const std::string& value) {
  if (key == meta_key::kSession) {
    const std::optional<std::string> session = meta(key);
    if (session && *session != value)
      throw std::runtime_error("journal " + path() + " holds session " + *session +
                               ", this is session " + value +
                               "; give the test a separate folder");
  }
  database_.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)")
      .bind(1, std::string_view(key))
      .bind(2, std::string_view(value))
      .run();
}

int JournalFile::add_stream(const std::string& name, const Channels& channels) {
  std::optional<std::int64_t> id = find_stream(name);
  if (id && channels_of(*id) != channels)
    throw std::runtime_error("journal " + path() + " has a stream `" + name +
                             "` with other channels; give the test a separate folder");
  if (!id) id = insert_stream(name, channels);
  return use_stream(*id, name, channels.size());
}

std::optional<int> JournalFile::find(const std::string& name) {
  const std::optional<std::int64_t> id = find_stream(name);
  if (!id) return std::nullopt;
  return use_stream(*id, name, channels_of(*id).size());
}

int JournalFile::reopen_stream(const std::string& name, const Channels& channels,
                               std::int64_t last) {
  const std::optional<std::int64_t> id = find_stream(name);
  if (!id)
    throw std::runtime_error("journal " + path() + " has no stream `" + name +
                             "`; resume with the same test file and the same program");
  if (channels_of(*id) != channels)
    throw std::runtime_error(
        "journal " + path() + " has a stream `" + name +
        "` with other channels; resume with the same test file and the "
        "same program");
  const int number = use_stream(*id, name, channels.size());
  cut(streams_.back(), last);
  return number;
}

std::optional<std::int64_t> JournalFile::last(int stream) const {
  return streams_.at(static_cast<std::size_t>(stream)).last;
}

int JournalFile::use_stream(std::int64_t id, const std::string& name,
                            std::size_t channels) {
  Stream stream;
  stream.id = id;
  stream.name = name;
  stream.row_bytes = row_bytes(channels);
  SqliteStatement last = database_.prepare(
      "SELECT last FROM block WHERE stream = ? ORDER BY first DESC LIMIT 1");
  last.bind(1, id);
  if (last.step()) stream.last = last.integer(0);
  stream.committed = stream.last;
  if (channels > 0)
    for (const std::int64_t rows : kExtentRows) stream.extents.emplace_back(channels, rows);
  streams_.push_back(std::move(stream));
  return static_cast<int>(streams_.size()) - 1;
}

void JournalFile::settle() {
  begin(/*durable=*/true);
  force_commit();
  commit();
}

void JournalFile::begin(bool durable) {
  durable = durable || always_durable_;
  if (durable != durable_)
    database_.execute(durable ? "PRAGMA synchronous = FULL"
                              : "PRAGMA synchronous = NORMAL");
  durable_ = durable;
  database_.execute("BEGIN IMMEDIATE");
}

void JournalFile::commit() {
  database_.execute("COMMIT");
  for (Stream& stream : streams_) stream.committed = stream.last;
}

void JournalFile::rollback() noexcept {
  // A full disk may have rolled back by itself already.
  try {
    if (database_.in_transaction()) database_.execute("ROLLBACK");
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nothing left to undo
  }
  for (Stream& stream : streams_) stream.last = stream.committed;
  extents_.forget();
}

void JournalFile::append(int stream, std::span<const std::byte> rows) {
  Stream& to = streams_.at(static_cast<std::size_t>(stream));
  if (rows.empty()) return;
  if (rows.size() % to.row_bytes != 0)
    throw std::runtime_error("journal " + path() + ": stream `" + to.name +
                             "` was handed a row of the wrong length");
  std::optional<std::int64_t> last = to.last;
  for (std::size_t at = 0; at < rows.size(); at += to.row_bytes) {
    const std::int64_t index = row_index(rows.subspan(at));
    if (last && index <= *last)
      throw std::runtime_error("journal " + path() + ": stream `" + to.name +
                               "` holds row " + std::to_string(*last) + " already; row " +
                               std::to_string(index) + " after it is refused");
    last = index;
  }
  insert_block_->bind(1, to.id)
      .bind(2, row_index(rows))
      .bind(3, *last)
      .bind(4, static_cast<std::int64_t>(rows.size() / to.row_bytes))
      .bind(5, rows)
      .run();
  add_extents(to, to.last, rows);
  to.last = last;
}

void JournalFile::add_extents(Stream& stream, std::optional<std::int64_t> before,
                              std::span<const std::byte> rows) {
  const ExtentBuilder::Take take = [this, id = stream.id](const Extent& extent) {
    extents_.add(id, extent);
  };
  for (ExtentBuilder& builder : stream.extents) {
    std::optional<std::int64_t> last = before;
    for (std::size_t at = 0; at < rows.size(); at += stream.row_bytes) {
      const std::span<const std::byte> row = rows.subspan(at, stream.row_bytes);
      builder.add(last, row, take);
      last = row_index(row);
    }
  }
}

void JournalFile::append(int stream, const RecordRow& row) {
  std::vector<std::byte> bytes(row_bytes(row.values.size()));
  std::memcpy(bytes.data(), &row.index, sizeof row.index);
  if (!row.values.empty())
    std::memcpy(bytes.data() + sizeof row.index, row.values.data(),
                row.values.size_bytes());
  append(stream, bytes);
}

void JournalFile::add_event(const JournalEvent& event) {
  add_event(last_event() + 1, event);
}

void JournalFile::add_event(std::int64_t number, const JournalEvent& event) {
  insert_event_->bind(1, number)
      .bind(2, std::int64_t{event.time.time_since_epoch().count()})
      .bind(3, std::string_view(event.node))
      .bind(4, std::string_view(event.kind))
      .bind(5, std::string_view(event.text))
      .run();
}

std::int64_t JournalFile::last_event() {
  return database_.number("SELECT coalesce(max(id), 0) FROM event");
}

void JournalFile::add_audit(const AuditRecord& record) {
  database_.prepare("INSERT INTO audit VALUES(?, ?, ?, ?, ?, ?, ?)")
      .bind(1, record.sequence)
      .bind(2, record.utc_ns)
      .bind(3, std::string_view(record.entry.who))
      .bind(4, std::string_view(record.entry.from))
      .bind(5, std::string_view(record.entry.what))
      .bind(6, std::string_view(record.entry.text))
      .bind(7, std::string_view(record.digest))
      .run();
}

AuditRecord JournalFile::last_audit() {
  SqliteStatement last = database_.prepare(
      "SELECT sequence, digest FROM audit ORDER BY sequence DESC LIMIT 1");
  AuditRecord record;
  if (last.step()) {
    record.sequence = last.integer(0);
    record.digest = last.text(1);
  }
  return record;
}

void JournalFile::save_state(std::int64_t step, std::span<const double> state) {
  replace_state_->bind(1, step).bind(2, std::as_bytes(state)).run();
}

void JournalFile::force_commit() {
  database_.execute("PRAGMA user_version = " + std::to_string(kJournalSchema));
}

std::string JournalFile::finish(bool again) {
  insert_block_.reset();
  insert_event_.reset();
  replace_state_.reset();
  extents_.forget();
  database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (again) return write_again(database_);  // SQLite can change no mode of a deleted file
  // Without write-ahead logging the file can be read from a write-protected place too. A
  // reader in the way only leaves it as it is: still whole, and readable.
  try {
    database_.execute("PRAGMA journal_mode = DELETE");
  } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): said above
  }
  return {};
}

std::optional<std::int64_t> JournalFile::find_stream(const std::string& name) {
  SqliteStatement find = database_.prepare("SELECT id FROM stream WHERE name = ?");
  find.bind(1, std::string_view(name));
  if (!find.step()) return std::nullopt;
  return find.integer(0);
}

Channels JournalFile::channels_of(std::int64_t stream) {
  SqliteStatement select = database_.prepare(
      "SELECT name, unit FROM channel WHERE stream = ? ORDER BY position");
  select.bind(1, stream);
  Channels channels;
  while (select.step()) channels.push_back({select.text(0), select.text(1)});
  return channels;
}

std::int64_t JournalFile::insert_stream(const std::string& name, const Channels& channels) {
  begin();
  try {
    database_.prepare("INSERT INTO stream(name) VALUES(?)")
        .bind(1, std::string_view(name))
        .run();
    const std::int64_t id = database_.number("SELECT last_insert_rowid()");
    SqliteStatement insert = database_.prepare(
        "INSERT INTO channel(stream, position, name, unit) VALUES(?, ?, ?, ?)");
    for (std::size_t position = 0; position < channels.size(); ++position)
      insert.bind(1, id)
          .bind(2, static_cast<std::int64_t>(position))
          .bind(3, std::string_view(channels[position].name))
          .bind(4, std::string_view(channels[position].unit))
          .run();
    database_.execute("COMMIT");
    return id;
  } catch (...) {
    rollback();
    throw;
  }
}

void JournalFile::cut(Stream& stream, std::int64_t last) {
  if (!stream.last || *stream.last <= last) return;
  begin();
  try {
    supersede_rows(database_, stream.id, stream.row_bytes, last);
    SqliteStatement left =
        database_.prepare("SELECT max(last) FROM block WHERE stream = ?");
    left.bind(1, stream.id);
    if (stream.last && *stream.last > last) {
      stream.last.reset();
      if (left.step() && !left.is_null(0)) stream.last = left.integer(0);
      left.reset();
    }
    database_.execute("COMMIT");
    stream.committed = stream.last;
  } catch (...) {
    rollback();
    throw;
  }
}

}  // namespace trestle::journal
