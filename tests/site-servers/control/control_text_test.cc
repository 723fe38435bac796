#include "composition/sites/control_text.h"

#include <gtest/gtest.h>

#include "core/base/setting_error.h"
#include "proto/config/control.pb.h"
#include "proto/config/site.pb.h"

namespace trestle {
namespace {

TEST(ControlWords, SayAMessageOnOneLineInNumbersThatReadBack) {
  config::Compensator message;
  message.mutable_polynomial()->add_delay(0.1 + 0.2);
  message.mutable_polynomial()->add_delay(0.012);
  EXPECT_EQ(composition::format_compensator(message.SerializeAsString()),
            "polynomial { delay: [0.30000000000000004, 0.012] }");
}

TEST(ControlWords, SayNothingOfTheDefault) {
  EXPECT_EQ(composition::format_compensator(""), "");
  EXPECT_EQ(composition::format_controller(""), "");
  config::SafeAction hold;
  hold.mutable_hold();
  EXPECT_EQ(composition::format_message(hold), "hold { }");
}

TEST(ControlWords, RefuseBytesThatAreNoMessage) {
  EXPECT_THROW(composition::format_compensator("\xff\xff\xff"), SettingError);
}

}  // namespace
}  // namespace trestle
