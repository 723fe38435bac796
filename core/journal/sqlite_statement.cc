#include "core/journal/sqlite_statement.h"

#include <sqlite3.h>

#include "core/journal/sqlite_error.h"

namespace trestle::journal {
namespace {

[[noreturn]] void fail(sqlite3* database) {
  const char* const path = sqlite3_db_filename(database, "main");
  throw SqliteError(path == nullptr ? "" : path, sqlite3_extended_errcode(database),
                    sqlite3_errmsg(database));
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

SqliteStatement::SqliteStatement(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) fail(database);
  statement_.reset(statement);
}

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), parameter, value));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::string_view text) {
  const char* const data = text.data() == nullptr ? "" : text.data();  // null is no text
  check(sqlite3_bind_text64(statement_.get(), parameter, data, text.size(),
                            SQLITE_TRANSIENT,  // NOLINT: a cast inside SQLite's macro
                            SQLITE_UTF8));
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::span<const std::byte> bytes) {
  check(sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(),
                            SQLITE_STATIC));
  return *this;
}

bool SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) check(code);
  return false;
}

void SqliteStatement::run() {
  while (step()) continue;
  reset();
}

void SqliteStatement::reset() noexcept {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t SqliteStatement::integer(int column) {
  return sqlite3_column_int64(statement_.get(), column);
}

bool SqliteStatement::is_null(int column) {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::string SqliteStatement::text(int column) {
  const auto* const text =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> SqliteStatement::blob(int column) {
  const auto* const bytes =
      static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void SqliteStatement::check(int code) const {
  if (code != SQLITE_OK) {
    sqlite3* const database = sqlite3_db_handle(statement_.get());
    // The sentence must be made before reset() clears the error; the statement must be
    // reset, or a failed transaction could not be rolled back.
    try {
      fail(database);
    } catch (...) {
      sqlite3_reset(statement_.get());
      throw;
    }
  }
}

}  // namespace trestle::journal
