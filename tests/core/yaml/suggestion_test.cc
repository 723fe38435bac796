#include "core/base/suggestion.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using trestle::nearest;
using trestle::quote;
using trestle::suggestion;

TEST(Suggestion, FindsSwappedMissingAndExtraLetters) {
  const std::vector<std::string> known = {"interface", "limits", "west"};
  EXPECT_EQ(nearest("intreface", known), "interface");
  EXPECT_EQ(nearest("limit", known), "limits");
  EXPECT_EQ(nearest("wets", known), "west");
  EXPECT_EQ(nearest("Interface", known), "interface");
}

TEST(Suggestion, PrefersTheSameCase) {
  EXPECT_EQ(nearest("mn", {"mN", "MN", "mm"}), "mN");
  EXPECT_EQ(nearest("e", {"E", "A"}), "E");
}

TEST(Suggestion, ListsWhatThereIsWhenNothingIsNear) {
  EXPECT_EQ(suggestion("colour", {"E", "A"}), "known here: E, A");
  EXPECT_EQ(nearest("q", {"E", "A"}), "");
  EXPECT_EQ(suggestion("colour", {}), "nothing may stand here");
}

TEST(Suggestion, QuotesStayOnOneLineAndWhole) {
  EXPECT_EQ(quote("a\nb"), "`a b`");
  const std::string cut = quote(std::string(59, 'a') + "µµ");
  EXPECT_EQ(cut, "`" + std::string(59, 'a') + "...`");
}

}  // namespace
