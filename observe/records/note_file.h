#pragma once

#include <string>

#include "core/types/note.h"

namespace trestle::records {

/// Copies a file into the folder `files` of a record, under a name that begins with 16
/// digits of its SHA-256, and enters name and digest in the note. The same file twice is
/// one file.
/// @throws std::runtime_error with one sentence: it cannot be read, is larger than 64 MiB,
///         or cannot be written
void keep_note_file(const std::string& folder, const std::string& file, Note& note);

/// The kept file of a note; empty: none was named, it is gone, or it is not what it was.
std::string read_note_file(const std::string& folder, const Note& note);

}  // namespace trestle::records
