#include "core/session/note_text.h"

#include <gtest/gtest.h>

namespace trestle::session {
namespace {

TEST(NoteText, IsReadAsItIsWritten) {
  for (const Note& note :
       {Note{.step = 412, .time = 0.40234375, .text = "crack at the weld"},
        Note{.step = -1, .time = -0.01, .text = "3, 4 s: both"},
        Note{.step = 0, .time = 0.0, .text = "a [file x] b]"},
        Note{.step = 5, .time = 0.5, .text = "x, site east: y", .site = "west"},
        Note{.step = 6,
        .time = 0.6,
        .text = "it slips",
        .file = "1f2e-gauge.mp4",
        .sha256 = std::string(64, 'c'),
        .site = "west",
        .video_starts = -0.25},
        Note{.step = 7,
        .time = 1e-9,
        .text = "seen [here]",
        .file = "1f2e-crack.jpg",
        .sha256 = std::string(64, 'b')}}) {
    const std::string text = note_text(note);
    ASSERT_TRUE(read_note(text)) << text;
    EXPECT_EQ(*read_note(text), note) << text;
  }
}

TEST(NoteText, OfOtherEntriesIsNone) {
  for (const char* text : {"", "contract 4f2e", "step", "step 4", "step x, 1 s: y",
                           "step 4, x s: y", "from step 4 on, contract 2 s: x",
                           "step 4, 1 s, video from x s: y", "step 4, 1 s, place: y"})
    EXPECT_FALSE(read_note(text)) << text;
}

TEST(NoteText, SaysWhichSiteAndWhereAVideoStarts) {
  Note note{.step = 6, .time = 0.5, .text = "it slips", .site = "west"};
  EXPECT_EQ(note_text(note), "step 6, 0.5 s, site west: it slips");
  note.video_starts = 12.3;
  EXPECT_NE(refusal_of_note(note, 9), "") << "a video is a file";
  note.file = "1f2e-gauge.mp4";
  EXPECT_EQ(refusal_of_note(note, 9), "");
  EXPECT_EQ(refusal_of_site(note, {"east", "west"}), "");
  EXPECT_NE(refusal_of_site(note, {"east", "wast"}).find("no site"), std::string::npos);
}

TEST(NoteText, FitsInItsPlaces) {
  const Note longest{.step = INT64_MAX,
                     .time = -1.2345678901234567e-300,
                     .text = std::string(kLongestNote, 'x'),
                     .file = std::string(kLongestNoteFile, 'f'),
                     .sha256 = std::string(64, '0'),
                     .site = std::string(60, 's'),
                     .video_starts = -1.2345678901234567e-300};
  EXPECT_LE(note_text(longest).size(), 1023U) << "an audit entry's text is cut beyond";
  EXPECT_EQ(read_note(note_text(longest)), longest);
}

}  // namespace
}  // namespace trestle::session
