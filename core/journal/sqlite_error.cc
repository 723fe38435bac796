#include "core/journal/sqlite_error.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace trestle::journal {
namespace {

/// Why the journal cannot be written by the system's own word; empty: it can. SQLite opens
/// such a file for reading without a word, and then calls its failed lock an error of the
/// disk.
std::string refusal_to_write(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& place : {path, folder.empty() ? "." : folder.string()}) {
    if (access(place.c_str(), W_OK) == 0) continue;
    if (errno == EROFS)
      return "journal " + path +
             " cannot be written: its file system is read-only; copy its folder to one "
             "that can be written, or mount it so";
    if (errno == EACCES || errno == EPERM)
      return "journal " + path +
             " cannot be written; check the permissions of it and its folder";
  }
  return {};
}

std::string sentence(const std::string& path, int code, const std::string& detail) {
  const std::string journal = "journal " + path;
  // The error of a full disk when SQLite maps its shared index.
  if (code == SQLITE_IOERR_SHMSIZE) return journal + ": the disk is full; free space on it";
  const int primary = code & 0xff;
  const bool read = code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ;
  if ((primary == SQLITE_IOERR && !read) || primary == SQLITE_READONLY)
    if (std::string why = refusal_to_write(path); !why.empty()) return why;
  switch (primary) {
    case SQLITE_FULL:
      return journal + ": the disk is full; free space on it";
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

bool is_passing_code(int code) {
  switch (code & 0xff) {
    case SQLITE_IOERR:  // the others may be of the file or its disk
      return code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ||
             code == SQLITE_IOERR_TRUNCATE || code == SQLITE_IOERR_SHMSIZE ||
             code == SQLITE_IOERR_SHMOPEN || code == SQLITE_IOERR_SHMMAP ||
             code == SQLITE_IOERR_LOCK || code == SQLITE_IOERR_ACCESS ||
             code == SQLITE_IOERR_NOMEM;
    case SQLITE_FULL:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return true;
    default:
      return false;
  }
}

}  // namespace

SqliteError::SqliteError(const std::string& path, int code, const std::string& detail)
    : std::runtime_error(sentence(path, code, detail)),
      busy_((code & 0xff) == SQLITE_BUSY),
      passing_(is_passing_code(code)) {}

}  // namespace trestle::journal
