#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/note.h"

namespace trestle::session {

/// The text of the audit entry of a note:
/// "step 412, 0.402 s: crack at the weld [file 1f2e-crack.jpg, SHA-256 1f2e...]"; of one
/// site, with a video: "step 412, 0.402 s, site west, video from 0.1 s: crack ...".
std::string note_text(const Note& note);

/// Reads what note_text() wrote. No value: it did not write that.
std::optional<Note> read_note(std::string_view text);

/// Why a note cannot be recorded; empty: it can. A step has to be one that was done.
/// @param done  last step that was done; -1: none, only the initial measurement
std::string refusal_of_note(const Note& note, std::int64_t done);

/// Why a note cannot be about its site; empty: it can. @param sites  of the record
std::string refusal_of_site(const Note& note, const std::vector<std::string>& sites);

}  // namespace trestle::session
