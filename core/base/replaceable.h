#pragma once

#include <string>

namespace trestle {

/// Checks a file that a rename is about to replace. A device node would become a plain
/// file, and a record would be lost.
/// @throws std::runtime_error  if the path is a folder, a device, a pipe, a socket, or a
///         database
void require_replaceable(const std::string& path);

/// @returns true if the file is a database, its log, or the file of pages of a journal
bool is_database(const std::string& path);

}  // namespace trestle
