#include "core/journal/sqlite_database.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "core/journal/sqlite_error.h"

namespace trestle::journal {
namespace {

/// Longest wait for another program's lock before it is an error.
constexpr int kBusyTimeoutMs = 2000;

/// A writer that was killed outside the write-ahead log leaves half a transaction beside
/// the file. Only a writer may roll it back.
void roll_back_what_was_cut_off(const std::string& path) noexcept {
  if (access((path + "-journal").c_str(), F_OK) != 0) return;
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK)
    sqlite3_exec(database, "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr);
  sqlite3_close_v2(database);
}

/// Refuses an empty file with a log beside it. SQLite would take it for a new database and
/// remove the log, even for a reader, although the log may hold all data.
void refuse_to_lose_the_log(const std::string& path) {
  struct stat file {};
  struct stat log {};
  if (stat(path.c_str(), &file) != 0 || file.st_size > 0) return;
  if (stat((path + "-wal").c_str(), &log) != 0 || log.st_size == 0) return;
  throw std::runtime_error(path + " is empty, but " + path +
                           "-wal is not: something has cut it off; keep both files, and "
                           "look for a copy");
}

}  // namespace

void SqliteDatabase::Close::operator()(sqlite3* database) const noexcept {
  sqlite3_close_v2(database);
}

SqliteDatabase::SqliteDatabase(std::string path, Access access) : path_(std::move(path)) {
  refuse_to_lose_the_log(path_);
  if (access == Access::kRead) roll_back_what_was_cut_off(path_);
  const int flags = access == Access::kRead
                        ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
                        : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &database, flags, nullptr);
  database_.reset(database);  // there even where opening failed
  if (code != SQLITE_OK)
    throw SqliteError(path_,
                      database == nullptr ? code : sqlite3_extended_errcode(database),
                      sqlite3_errstr(code));
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, kBusyTimeoutMs);
}

void SqliteDatabase::execute(const std::string& sql) {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw SqliteError(path_, code, sqlite3_errmsg(database_.get()));
}

std::int64_t SqliteDatabase::number(std::string_view sql) {
  SqliteStatement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

bool SqliteDatabase::in_transaction() const noexcept {
  return sqlite3_get_autocommit(database_.get()) == 0;
}

void SqliteDatabase::copy_to(SqliteDatabase& target) {
  sqlite3_backup* const backup =
      sqlite3_backup_init(target.database_.get(), "main", database_.get(), "main");
  if (backup != nullptr) {
    sqlite3_backup_step(backup, -1);
    sqlite3_backup_finish(backup);  // leaves the outcome in the target
  }
  const int code = sqlite3_extended_errcode(target.database_.get());
  if (code != SQLITE_OK)
    throw SqliteError(target.path(), code, sqlite3_errmsg(target.database_.get()));
}

}  // namespace trestle::journal
