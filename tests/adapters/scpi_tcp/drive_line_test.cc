#include "adapters/scpi_tcp/drive_line.h"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <stdexcept>

namespace trestle::scpi_tcp {
namespace {

std::string drive_line(const std::string& text) {
  const std::array<double, 2> numbers{1.5, -0.0123456789};
  return DriveLine("move", text).line(numbers);
}

TEST(DriveLine, WritesTheDrivesAsTheFormatSays) {
  EXPECT_EQ(drive_line("POS 1,{drive:.6f}"), "POS 1,1.500000");
  EXPECT_EQ(drive_line("{drive1:.0f};{drive2:.3e}"), "2;-1.235e-02");
  EXPECT_EQ(drive_line("A  {drive2}"), "A  -0.0123456789");
  EXPECT_EQ(drive_line("{{\"p\":{drive1:.1f}}}"), "{\"p\":1.5}");
}

TEST(DriveLine, HasADecimalPointInEveryLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  if (std::setlocale(LC_NUMERIC, "de_DE.UTF-8") == nullptr)
    std::setlocale(LC_NUMERIC, "C.UTF-8");
  EXPECT_EQ(drive_line("{drive:.2f}"), "1.50");
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(DriveLine, RefusesWhatNobodyCanReadBack) {
  struct Case {
    const char* text;
    const char* says;
  };
  for (const Case& wrong : {Case{"POS {drive1:.6f}{drive2:.6f}", "has nothing between"},
                            {"POS1{drive}", "has `1` directly before {drive}"},
                            {"POS", "has no place for a drive"},
                            {"POS {value}", "has the place {value}; must be {drive}"},
                            {"POS {drive17}", "must be {drive}"},
                            {"POS {drive:6d}", "a format is .6f or .6e"},
                            {"POS {drive:.99f}", "a format is .6f or .6e"}}) {
    try {
      DriveLine("move", wrong.text);
      ADD_FAILURE() << wrong.text;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find(wrong.says), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace trestle::scpi_tcp
