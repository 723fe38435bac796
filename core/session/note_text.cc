#include "core/session/note_text.h"

#include <charconv>
#include <system_error>

#include "core/base/number_text.h"

namespace trestle::session {
namespace {

constexpr std::string_view kStep = "step ";
constexpr std::string_view kFile = " [file ";
constexpr std::string_view kDigest = ", SHA-256 ";
constexpr std::size_t kDigits = 64;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Takes "..., SHA-256 <64 digits>]" off the end of the text.
void take_file(std::string_view& text, Note& note) {
  const std::size_t tail = kDigest.size() + kDigits + 1;
  if (text.size() < tail || text.back() != ']') return;
  const std::string_view digest = text.substr(text.size() - tail, tail - 1);
  const std::size_t file = text.rfind(kFile, text.size() - tail);
  if (!digest.starts_with(kDigest) || file == std::string_view::npos) return;
  const std::string_view digits = digest.substr(kDigest.size());
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return;
  note.sha256 = digits;
  note.file = text.substr(file + kFile.size(), text.size() - tail - file - kFile.size());
  text = text.substr(0, file);
}

}  // namespace

std::string note_text(const Note& note) {
  std::string text = std::string(kStep) + std::to_string(note.step) + ", " +
                     format_number(note.time) + " s: " + note.text;
  if (!note.file.empty()) {
    text += kFile;
    text += note.file;
    text += kDigest;
    text += note.sha256 + "]";
  }
  return text;
}

std::optional<Note> read_note(std::string_view text) {
  const std::size_t comma = text.find(", ");
  const std::size_t colon = text.find(" s: ");
  if (!text.starts_with(kStep) || comma == std::string_view::npos ||
      colon == std::string_view::npos || colon < comma)
    return std::nullopt;
  const std::optional<std::int64_t> step =
      whole_number(text.substr(kStep.size(), comma - kStep.size()));
  const std::optional<double> time =
      parse_number(text.substr(comma + 2, colon - comma - 2));
  if (!step || !time) return std::nullopt;
  Note note{.step = *step, .time = *time, .text = {}};
  text.remove_prefix(colon + 4);
  take_file(text, note);
  note.text = text;
  return note;
}

std::string refusal_of_note(const Note& note, std::int64_t done) {
  if (note.text.empty()) return "a note needs a text";
  if (note.text.size() > kLongestNote)
    return "the note has " + std::to_string(note.text.size()) + " bytes; at most " +
           std::to_string(kLongestNote) +
           " are taken: write two notes, or put the text into a file (--file)";
  if (note.file.size() > kLongestNoteFile)
    return "the name of the note's file has " + std::to_string(note.file.size()) +
           " bytes; at most " + std::to_string(kLongestNoteFile) + " are taken";
  if (note.step > done)
    return "step " + std::to_string(note.step) + " is not done yet; the last one is " +
           std::to_string(done);
  return {};
}

}  // namespace trestle::session
