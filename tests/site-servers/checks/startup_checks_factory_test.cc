#include "composition/sites/startup_checks_factory.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "proto/config/site.pb.h"

namespace trestle::checks::start_checks_catalog_test {
namespace {

StartCheckSettings made(const std::string& text, int actuators) {
  config::StartChecks message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return composition::make_start_checks(message, actuators, "start_checks");
}

TEST(StartChecksCatalog, GivesOneValueToAllActuatorsOrOneEach) {
  const StartCheckSettings settings =
      made("zero_displacement: 1e-3 zero_force: [100, 200]", 2);
  EXPECT_EQ(settings.zero_displacement, (std::vector<double>{1e-3, 1e-3}));
  EXPECT_EQ(settings.zero_force, (std::vector<double>{100.0, 200.0}));
  EXPECT_TRUE(settings.polarity_motion.empty());
}

TEST(StartChecksCatalog, SaysWhereEntriesAreMissing) {
  try {
    made("polarity_motion: [1e-3, 2e-3]", 3);
    FAIL() << "not refused";
  } catch (const SettingError& error) {
    EXPECT_STREQ(
        error.what(),
        "start_checks.polarity_motion: 2 entries for 3 actuators; give one for all "
        "or one each");
  }
}

}  // namespace
}  // namespace trestle::checks::start_checks_catalog_test
