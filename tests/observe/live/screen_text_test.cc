#include "observe/live/screen_text.h"

#include <gtest/gtest.h>

namespace trestle::live::screen_text_test {
namespace {

TEST(ScreenText, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\u2588\u2588"), 2U);
  EXPECT_EQ(display_width("\u6771\u4eac"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\xff\xfe"), 2U);
}

TEST(ScreenText, CutsNoLetter) {
  EXPECT_EQ(cut_to_width("\u6771\u4eac", 3), "\u6771");
  EXPECT_EQ(cut_to_width("\u2588\u2588", 1), "\u2588");
  EXPECT_EQ(cut_to_width("abc", 5), "abc");
}

TEST(ScreenText, ALegibleLineObeysNothing) {
  EXPECT_EQ(legible_line("a\x1b[2Jb\rc\nd\x7f"), "a [2Jb c d ");
  EXPECT_EQ(legible_line("a\xc2\x9b"
                         "2Jb \u00e9 \xc2"),
            "a  2Jb \u00e9 \xc2");
}

TEST(ScreenText, ALegibleLineIsReadInTheOrderOfItsLetters) {
  EXPECT_EQ(legible_line("oil\u202e 12 bar"), "oil\ufffd 12 bar");
}

TEST(ScreenText, WrapsAtBlanks) {
  EXPECT_EQ(wrap("look at the grips", 8),
            (std::vector<std::string>{"look at", "the", "grips"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("", 4), std::vector<std::string>{""});
}

TEST(ScreenText, LeavesPartsOutFromTheEnd) {
  const std::vector<std::string> parts{"RUNNING 43 %", "17.99 of 41.18 s", "38 min left"};
  EXPECT_EQ(join_by_rank(parts, 80), "RUNNING 43 %  17.99 of 41.18 s  38 min left");
  EXPECT_EQ(join_by_rank(parts, 42), "RUNNING 43 %  17.99 of 41.18 s");
  EXPECT_EQ(join_by_rank(parts, 7), "RUNNING");
  EXPECT_EQ(join_by_rank({"", "x"}, 7), "x");
}

}  // namespace
}  // namespace trestle::live::screen_text_test
