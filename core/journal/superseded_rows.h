#pragma once

#include <cstddef>
#include <cstdint>

#include "core/journal/sqlite_database.h"

namespace trestle::journal {

/// Moves the rows of a stream whose index is above `last` to the table `superseded`, also
/// out of the middle of a block: rows that are made again stay readable. The table exists
/// only where it was needed. Belongs into a transaction.
/// @param stream     its id in the database
/// @param row_bytes  of one row
/// @throws SqliteError
void supersede_rows(SqliteDatabase& database, std::int64_t stream, std::size_t row_bytes,
                    std::int64_t last);

}  // namespace trestle::journal
