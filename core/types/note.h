#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace trestle {

/// Longest text of a note, and longest name of its file [bytes]. With the rest of the entry
/// both fit in the place of an audit entry, and the text in that of an event.
inline constexpr std::size_t kLongestNote = 400;
inline constexpr std::size_t kLongestNoteFile = 90;

/// A remark of a person on a test: "crack at the weld".
struct Note {
  /// Of a note that is still to be recorded: the step that is the last one then.
  static constexpr std::int64_t kNow = -2;

  std::int64_t step = kNow;  ///< that it is about; -1: the initial measurement
  double time = 0.0;         ///< of that step: step · Δt [s]
  std::string text;
  std::string file = {};    ///< name in the folder `files` of the record; empty: none
  std::string sha256 = {};  ///< of the file: 64 hexadecimal digits; empty: no file
  /// A message to all nodes of the test, now (trestle say); of the rest only `text` counts.
  bool to_all = false;
  std::string site = {};  ///< that it is about; empty: the test
  /// The file is a video: time of the test in its first picture [s]; may be negative.
  std::optional<double> video_starts = {};
  bool operator==(const Note&) const = default;
};

}  // namespace trestle
