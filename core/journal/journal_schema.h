#pragma once

#include <cstdint>

#include "core/journal/database.h"

namespace trestle {

/// Version of the tables below (PRAGMA user_version). A program reads its own and older
/// ones, never newer ones.
inline constexpr std::int64_t kJournalSchema = 1;

/// Makes the tables in an empty database; one that is a journal already is only checked.
/// @throws std::runtime_error as check_schema()
void prepare_schema(Database& database);

/// @throws std::runtime_error where it is a foreign database, or a journal of a newer
///         schema: then both versions are named
void check_schema(Database& database);

}  // namespace trestle
