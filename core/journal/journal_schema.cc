#include "core/journal/journal_schema.h"

#include <stdexcept>
#include <string>

namespace trestle::journal {
namespace {

/// "TRJL": distinguishes a journal from any other SQLite database (PRAGMA application_id).
constexpr std::int64_t kApplication = 0x54524A4C;

constexpr const char* kTables = R"(
CREATE TABLE meta(
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE stream(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE);
CREATE TABLE channel(
  stream INTEGER NOT NULL REFERENCES stream(id),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  PRIMARY KEY(stream, position)) WITHOUT ROWID;
CREATE TABLE block(
  id INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES stream(id),
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  count INTEGER NOT NULL,
  rows BLOB NOT NULL,
  UNIQUE(stream, first),
  CHECK(first <= last));
CREATE TABLE event(
  id INTEGER PRIMARY KEY,
  time_ns INTEGER NOT NULL,
  node TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL);
CREATE TABLE state(
  id INTEGER PRIMARY KEY CHECK(id = 1),
  step INTEGER NOT NULL,
  state BLOB NOT NULL);
CREATE TABLE audit(
  sequence INTEGER PRIMARY KEY,
  utc_ns INTEGER NOT NULL,
  who TEXT NOT NULL,
  origin TEXT NOT NULL,
  what TEXT NOT NULL,
  text TEXT NOT NULL,
  digest TEXT NOT NULL);
)";

bool is_empty(SqliteDatabase& database) {
  return database.number("SELECT count(*) FROM sqlite_schema") == 0 &&
         database.number("PRAGMA application_id") == 0;
}

}  // namespace

void check_schema(SqliteDatabase& database) {
  if (is_empty(database))
    throw std::runtime_error(database.path() + " is not a journal: it is empty");
  if (database.number("PRAGMA application_id") != kApplication)
    throw std::runtime_error(database.path() +
                             " is not a journal: it is some other program's database");
  const std::int64_t schema = database.number("PRAGMA user_version");
  if (schema > kJournalSchema)
    throw std::runtime_error("journal " + database.path() + " has schema " +
                             std::to_string(schema) + ", this program knows up to schema " +
                             std::to_string(kJournalSchema) +
                             "; use the newer program that wrote it");
}

void check_writable(SqliteDatabase& database) {
  if (is_empty(database)) return;
  check_schema(database);
  const std::int64_t schema = database.number("PRAGMA user_version");
  if (schema < kJournalSchema)
    throw std::runtime_error("journal " + database.path() + " has schema " +
                             std::to_string(schema) + ", this program writes schema " +
                             std::to_string(kJournalSchema) +
                             " and only reads older ones; give the test a folder of its "
                             "own");
}

void prepare_schema(SqliteDatabase& database) {
  if (is_empty(database)) {
    database.execute("BEGIN IMMEDIATE");
    database.execute(kTables);
    database.execute("PRAGMA application_id = " + std::to_string(kApplication));
    database.execute("PRAGMA user_version = " + std::to_string(kJournalSchema));
    database.execute("COMMIT");
  }
  check_schema(database);
}

}  // namespace trestle::journal
