#include "core/session/note_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "core/base/number_text.h"
#include "core/base/suggestion.h"

namespace trestle::session {
namespace {

constexpr std::string_view kStep = "step ";
constexpr std::string_view kFile = " [file ";
constexpr std::string_view kDigest = ", SHA-256 ";
constexpr std::string_view kSite = "site ";
constexpr std::string_view kVideo = "video from ";
constexpr std::string_view kSeconds = " s";
constexpr std::size_t kDigits = 64;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "0.402 s"
std::optional<double> seconds_in(std::string_view text) {
  if (!text.ends_with(kSeconds)) return std::nullopt;
  text.remove_suffix(kSeconds.size());
  return parse_number(text);
}

/// Takes ", site west, video from 0.1 s", which is all that may follow the time.
bool take_marks(std::string_view marks, Note& note) {
  while (!marks.empty()) {
    if (!marks.starts_with(", ")) return false;
    marks.remove_prefix(2);
    const std::string_view one = marks.substr(0, marks.find(", "));
    marks.remove_prefix(one.size());
    if (one.starts_with(kSite))
      note.site = one.substr(kSite.size());
    else if (one.starts_with(kVideo))
      note.video_starts = seconds_in(one.substr(kVideo.size()));
    if (note.site.empty() && !note.video_starts) return false;
  }
  return true;
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
                     format_number(note.time) + " s";
  if (!note.site.empty()) text += ", " + std::string(kSite) + note.site;
  if (note.video_starts)
    text += ", " + std::string(kVideo) + format_number(*note.video_starts) + " s";
  text += ": " + note.text;
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
  const std::size_t colon = text.find(": ");
  if (!text.starts_with(kStep) || comma == std::string_view::npos ||
      colon == std::string_view::npos || colon < comma)
    return std::nullopt;
  const std::string_view after = text.substr(comma + 2, colon - comma - 2);
  const std::size_t marks = std::min(after.find(", "), after.size());
  const std::optional<std::int64_t> step =
      whole_number(text.substr(kStep.size(), comma - kStep.size()));
  const std::optional<double> time = seconds_in(after.substr(0, marks));
  Note note{.text = {}};
  if (!step || !time || !take_marks(after.substr(marks), note)) return std::nullopt;
  note.step = *step;
  note.time = *time;
  text.remove_prefix(colon + 2);
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
  if (note.video_starts && (note.file.empty() || !std::isfinite(*note.video_starts)))
    return "a video starts at a time of the test, and is a file of its note";
  if (note.step > done)
    return "step " + std::to_string(note.step) + " is not done yet; the last one is " +
           std::to_string(done);
  return {};
}

std::string refusal_of_site(const Note& note, const std::vector<std::string>& sites) {
  if (note.site.empty() || std::find(sites.begin(), sites.end(), note.site) != sites.end())
    return {};
  return "this record has no site " + quote(note.site) + "; " +
         suggestion(note.site, sites);
}

}  // namespace trestle::session
