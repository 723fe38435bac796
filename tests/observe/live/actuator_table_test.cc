#include "observe/live/actuator_table.h"

#include <gtest/gtest.h>

namespace trestle::live::actuator_table_test {
namespace {

std::vector<ActuatorView> two() {
  ActuatorView first;
  first.site = "west";
  first.name = "1";
  first.target = 0.01142;
  first.measured = 0.01133;
  first.force = 178e3;
  first.delay = 0.0004;
  first.error = 0.011;
  first.used[static_cast<std::size_t>(LimitKind::kDisplacement)] = {0.01142, 0.06};
  first.used[static_cast<std::size_t>(LimitKind::kForce)] = {178e3, 250e3};
  ActuatorView second = first;
  second.name = "2";
  second.kind = DofKind::kRotation;
  second.target = second.measured = -0.0031;
  second.used = {};
  second.used[static_cast<std::size_t>(LimitKind::kRate)] = {0.118, 0.13};
  second.per_step = true;
  second.force = -41.2e3;
  return {first, second};
}

std::vector<std::string> texts(const ActuatorTableStyle& style) {
  std::vector<std::string> rows;
  for (const ScreenRow& row : actuator_table(two(), style)) rows.push_back(row.text);
  return rows;
}

TEST(ActuatorTable, IsDrawnInFullIfThereIsRoom) {
  const std::vector<std::string> rows = texts({.width = 132, .plain = true});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(
      rows[0],
      "               target     measured       force    late  error              nearest "
      "limit");
  EXPECT_EQ(
      rows[1],
      "  west 1     11.42 mm     11.33 mm    178.0 kN  0.4 ms  1.1 %  #######...  71 % "
      "force     178.0 of 250.0 kN");
  EXPECT_EQ(
      rows[2],
      "  west 2  -3.100 mrad  -3.100 mrad  -41.20 kNm  0.4 ms  1.1 %  #########.  90 % "
      "rate      118.0 of 130.0 mrad/s, per step: at least");
}

TEST(ActuatorTable, SaysThatTheUseOfALimitIsNotKnown) {
  ActuatorView silent;
  silent.site = "west";
  silent.name = "1";
  for (const LimitKind kind : {LimitKind::kDisplacement, LimitKind::kForce})
    silent.used[static_cast<std::size_t>(kind)] = {ActuatorView::kUnknown, 0.06};
  const ScreenRow row = actuator_table({silent}, {.width = 132, .plain = true}).at(1);
  EXPECT_NE(row.text.find("NOT KNOWN"), std::string::npos) << row.text;
  EXPECT_EQ(row.text.find("...."), std::string::npos) << "an empty bar is one of 0 %";
  EXPECT_EQ(row.emphasis, Emphasis::kWarning);
  for (UsedLimit& use : silent.used) use = {};  // no limit is set
  EXPECT_EQ(actuator_table({silent}, {.width = 132}).at(1).text.find("NOT KNOWN"),
            std::string::npos);
}

TEST(ActuatorTable, IsNeverWiderThanItsRoom) {
  for (std::size_t width = 10; width < 140; ++width)
    for (const std::string& row : texts({.width = width}))
      EXPECT_LE(display_width(row), width) << row;
  EXPECT_NE(texts({.width = 40})[1].find("11.33 mm  71 % force"), std::string::npos);
}

TEST(ActuatorTable, TheWordsAndTheBarSayWhatTheColourSays) {
  const std::vector<ScreenRow> rows = actuator_table(two(), {});
  EXPECT_EQ(rows[1].emphasis, Emphasis::kWarning);
  EXPECT_EQ(rows[2].emphasis, Emphasis::kAlarm);
}

}  // namespace
}  // namespace trestle::live::actuator_table_test
