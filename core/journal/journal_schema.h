#pragma once

#include <cstdint>

#include "core/journal/sqlite_database.h"

namespace trestle::journal {

/// Version of the tables below (PRAGMA user_version). A program reads its own and older
/// ones, never newer ones.
inline constexpr std::int64_t kJournalSchema = 2;

/// The first that keeps states and audits.
inline constexpr std::int64_t kFirstWithAudit = 2;

/// Makes the tables in an empty database; one that is a journal already is only checked.
/// @throws std::runtime_error as check_schema()
void prepare_schema(SqliteDatabase& database);

/// Refuses a journal of an older schema too: it has no place for what is written now.
/// @throws std::runtime_error as check_schema(); nothing is changed
void check_writable(SqliteDatabase& database);

/// @throws std::runtime_error if it is a foreign database, or a journal of a newer
///         schema: then both versions are named
void check_schema(SqliteDatabase& database);

}  // namespace trestle::journal
