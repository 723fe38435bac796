#pragma once

#include <string>

namespace trestle {

/// Brings what a killed process had pushed, and had not written yet, from its ring file
/// into the journal, exactly once; then takes the ring file away. One that belongs to
/// another session, to one that was brought to its end, or to an earlier start of the
/// system, is set aside unread, in a numbered folder.
/// @returns false if a process that lives has the ring file: then nothing was done
/// @throws std::runtime_error with one sentence where the journal cannot be written
bool recover_ring_file(const std::string& journal);

}  // namespace trestle
