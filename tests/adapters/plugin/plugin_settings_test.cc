#include "adapters/plugin/plugin_settings.h"

#include <gtest/gtest.h>

#include <string>

namespace trestle::plugin::plugin_settings_test {
namespace {

const char* const kSettings =
    "address: 10.0.0.2:5000\nlimit: 60 mm\ngain: 3\nfield[0].type: u32\nfield[1].type: "
    "f64\n";

TEST(PluginSettings, FindsATextByItsPath) {
  char text[32];
  EXPECT_EQ(trestle_setting(kSettings, "address", text, sizeof text), 1);
  EXPECT_STREQ(text, "10.0.0.2:5000");
  EXPECT_EQ(trestle_setting(kSettings, "field[1].type", text, sizeof text), 1);
  EXPECT_STREQ(text, "f64");
  EXPECT_EQ(trestle_setting(kSettings, "addr", text, sizeof text), 0);
  EXPECT_STREQ(text, "");
  EXPECT_EQ(trestle_setting(kSettings, "address", text, 5), 1);
  EXPECT_STREQ(text, "10.0");
}

TEST(PluginSettings, ReadsANumberInSi) {
  double number = 0.0;
  char why[128] = "";
  EXPECT_EQ(trestle_number(kSettings, "limit", 1.0, &number, why, sizeof why), 1);
  EXPECT_DOUBLE_EQ(number, 0.06);
  EXPECT_EQ(trestle_number(kSettings, "gain", 1.0, &number, why, sizeof why), 1);
  EXPECT_EQ(number, 3.0);
  EXPECT_EQ(trestle_number(kSettings, "absent", 1.5, &number, why, sizeof why), 1);
  EXPECT_EQ(number, 1.5);
  EXPECT_EQ(trestle_number(kSettings, "address", 1.0, &number, why, sizeof why), 0);
  EXPECT_STREQ(why,
               "address: is 10.0.0.2:5000; must be a number, with a unit that is known");
}

TEST(PluginSettings, RefusesANumberWithAUnitOfAnotherKind) {
  const char* const times = "patience: 3 m\nhalf: 50 %\nplain: 3\nodd: 3 miles\nend: 3ms\n";
  char why[128] = "";
  EXPECT_EQ(trestle_number_is(times, "patience", TRESTLE_TIME, why, sizeof why), 0);
  EXPECT_STREQ(why, "patience: is 3 m; must be a time, for example ms");
  EXPECT_EQ(trestle_number_is(times, "patience", TRESTLE_ANGLE | TRESTLE_FORCE, why, 128),
            0);
  EXPECT_STREQ(why,
               "patience: is 3 m; must be an angle or a force, for example mrad or kN");
  EXPECT_EQ(trestle_number_is(times, "patience", TRESTLE_RATIO, why, sizeof why), 0);
  EXPECT_STREQ(why, "patience: is 3 m; must be a number without a unit");
  EXPECT_EQ(trestle_number_is(times, "patience", TRESTLE_LENGTH, why, sizeof why), 1);
  EXPECT_EQ(trestle_number_is(times, "end", TRESTLE_TIME, why, sizeof why), 1);
  EXPECT_EQ(trestle_number_is(times, "half", TRESTLE_RATIO, why, sizeof why), 1);
  EXPECT_EQ(trestle_number_is(times, "half", TRESTLE_TIME, why, sizeof why), 0);
  for (const char* const other : {"plain", "absent", "odd"})
    EXPECT_EQ(trestle_number_is(times, other, TRESTLE_TIME, why, sizeof why), 1) << other;
}

TEST(PluginSettings, NamesTheSettingThatNobodyKnows) {
  char why[128] = "";
  const char* const all[] = {"address", "limit", "gain", "field[", nullptr};
  EXPECT_EQ(trestle_settings_known(kSettings, all, why, sizeof why), 1);
  EXPECT_EQ(trestle_settings_known("", all, why, sizeof why), 1);
  const char* const some[] = {"address", "limit", "field[", nullptr};
  EXPECT_EQ(trestle_settings_known(kSettings, some, why, sizeof why), 0);
  EXPECT_STREQ(why, "gain: is no setting that this plug-in knows");
  EXPECT_EQ(trestle_settings_known("hello\n", some, why, sizeof why), 0);
}

}  // namespace
}  // namespace trestle::plugin::plugin_settings_test
