#pragma once

#include <string>

namespace trestle {

/// Returns the path of the draft of `path`: in the same folder, so that a rename completes
/// it.
std::string draft_path(const std::string& path);

/// Refuses a target that the last rename would replace by a plain file.
/// @throws std::runtime_error  if the path is a folder, a device, a pipe or a socket, or
/// part
///                             of a run's record
void require_plain_file(const std::string& path);

/// The same of what belongs to a run's record alone; a device may be written straight.
/// @throws std::runtime_error
void require_no_part_of_a_run(const std::string& path);

/// One sentence: the file, why it cannot be written, what to do.
/// @param error  errno; 0: the HDF5 library refused a name before it came to writing
std::string cannot_write(const std::string& path, int error);

}  // namespace trestle
