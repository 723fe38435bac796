#include "adapters/scpi_tcp/line_pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <stdexcept>

namespace trestle::scpi_tcp {
namespace {

LinePattern pattern(const std::string& text) {
  return {"answer", text};
}

/// The numbers of a line; empty: it does not match.
std::vector<double> numbers_of(const std::string& text, const std::string& line) {
  const LinePattern made = pattern(text);
  std::vector<double> numbers(made.places().size());
  if (!made.matches(line, numbers)) numbers.clear();
  return numbers;
}

std::string refusal_of(const std::string& text) {
  try {
    pattern(text);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

using Numbers = std::vector<double>;

TEST(LinePattern, TakesTheNumbersOfALine) {
  EXPECT_EQ(numbers_of("{value}", "-1.25e-3"), Numbers{-1.25e-3});
  EXPECT_EQ(numbers_of("{value}", "+9.5E+01"), Numbers{95.0});
  EXPECT_EQ(numbers_of("DISP {value} mm", "DISP 12.5 mm"), Numbers{12.5});
  EXPECT_EQ(numbers_of("{d1},{f1},{skip}", "1,-.5,7"), (Numbers{1.0, -0.5, 7.0}));
  EXPECT_EQ(numbers_of("{{\"d\":{d}}}", "{\"d\":3}"), Numbers{3.0});
}

TEST(LinePattern, ReadsOverBlanksWhereTheyMeanNothing) {
  EXPECT_EQ(numbers_of("{a} {b}", "  1.5 \t  -2 "), (Numbers{1.5, -2.0}));
  EXPECT_EQ(numbers_of("{a},{b}", "1 ,  2"), (Numbers{1.0, 2.0}));
  EXPECT_EQ(numbers_of("D  {a}", "D 4"), Numbers{4.0});
  EXPECT_TRUE(numbers_of("{a} mm", "4mm").empty());
}

TEST(LinePattern, RefusesEveryOtherLine) {
  for (const char* const line : {"", "x", "1.2.3", "1,5", "1 2", "nan", "inf", "--1", "+-1",
                                 "1e999", ".", "1e", "0x10", "1.0 mm", "\x01\x02"})
    EXPECT_TRUE(numbers_of("{value}", line).empty()) << line;
  for (const char* const line : {"1", "1,2,3", "1,", ",2", "1;2", "a1,2"})
    EXPECT_TRUE(numbers_of("{a},{b}", line).empty()) << line;
}

TEST(LinePattern, HasADecimalPointInEveryLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr)
    std::setlocale(LC_NUMERIC, "C.UTF-8");
  EXPECT_EQ(numbers_of("{value}", "1.5"), Numbers{1.5});
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(LinePattern, TakesAnyTextOfAnError) {
  std::array<double, 1> none{};
  EXPECT_TRUE(pattern("ERR {text}").matches("ERR 12, overload", none));
  EXPECT_TRUE(pattern("*{text}!").matches("*hot!", none));
  EXPECT_FALSE(pattern("ERR {text}").matches("1.5", none));
  EXPECT_FALSE(pattern("*{text}!").matches("*hot", none));
}

TEST(LinePattern, RefusesWhatCannotBeParsedBack) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& wrong : {Case{"{a}{b}", "answer: has nothing between {a} and {b}"},
                            {"{a}-{b}", "has `-` directly behind {a}"},
                            {"{a}e{b}", "has `e` directly behind {a}"},
                            {"{a}5", "has `5` directly behind {a}"},
                            {"CH1{a}", "has `1` directly before {a}"},
                            {"{a},{a}", "has the place {a} twice"},
                            {"{a", "its { at character 1 has no } behind it"},
                            {"a}", "its } at character 2 has no { before it"},
                            {"{}", "its name must be letters"},
                            {"{a:.3f}", "a number that comes in has no format"},
                            {"{text}", "is {text} alone, which every line is"},
                            {"{text},{a}", "has another place beside {text}"},
                            {"a\x07", "contains a control character"},
                            {" ", "is blank"}})
    EXPECT_NE(refusal_of(wrong.text).find(wrong.says), std::string::npos)
        << wrong.text << ": " << refusal_of(wrong.text);
}

TEST(LinePattern, FindsLinesThatCanBeTaken) {
  EXPECT_TRUE(pattern("0").can_be(pattern("{value}")));
  EXPECT_TRUE(pattern("{value}").can_be(pattern("-{text}")));
  EXPECT_FALSE(pattern("OK").can_be(pattern("{value}")));
  EXPECT_FALSE(pattern("{a},{b}").can_be(pattern("{value}")));
}

}  // namespace
}  // namespace trestle::scpi_tcp
