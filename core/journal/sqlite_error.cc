#include "core/journal/sqlite_error.h"

#include <sqlite3.h>

namespace trestle::journal {
namespace {

std::string sentence(const std::string& path, int code, const std::string& detail) {
  const std::string journal = "journal " + path;
  // The error of a full disk when SQLite maps its shared index.
  if (code == SQLITE_IOERR_SHMSIZE)
    return journal + ": the disk is full; free space on it, then the test can go on";
  switch (code & 0xff) {  // the primary code
    case SQLITE_FULL:
      return journal + ": the disk is full; free space on it, then the test can go on";
    case SQLITE_IOERR:
      return journal + ": the disk does not answer properly (" + detail +
             "); check the disk and the connection to it";
    case SQLITE_NOTADB:
      return path + " is not a journal: it is no SQLite database";
    case SQLITE_CORRUPT:
      return journal + " is damaged (" + detail + "); use a copy of it";
    case SQLITE_CANTOPEN:
      return journal +
             " cannot be opened; check that its folder exists and its permissions";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return journal + " cannot be written; check the permissions of it and its folder";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return journal + " is being written by another program; end that one first";
    case SQLITE_TOOBIG:
      return journal + ": a block of rows is too large (" + detail + ")";
    default:
      return journal + ": " + detail;
  }
}

}  // namespace

SqliteError::SqliteError(const std::string& path, int code, const std::string& detail)
    : std::runtime_error(sentence(path, code, detail)) {}

}  // namespace trestle::journal
