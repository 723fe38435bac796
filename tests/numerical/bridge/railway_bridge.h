#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "proto/config/test.pb.h"

namespace trestle::testing {

/// Seven spans of 32 m of C50 concrete under one quarter vehicle, which stands on a table:
/// the published cases of vehicle-bridge hybrid simulation.
/// @param section  1, 2 or 3
inline config::Test railway_bridge(double speed_km_h, int section = 1) {
  const char* const areas[] = {"8.5709", "7.7855", "7.7253"};
  const char* const moments[] = {"11.8140", "8.9376", "8.0732"};
  config::Test test;
  const std::string text =
      R"(test: "bridge" time_step: 0.0009765625 numerical { bridge {
        sections { name: "box" E: 34.5e9 density: 2500 A: )" +
      std::string(areas[section - 1]) + " I: " + moments[section - 1] + R"( }
        girders { spans: 32 section: "box" repeat: 7 }
        vehicles { name: "train" physical { wheels { name: "wheel" static_mass: 10741.5 } } }
        speed: )" +
      std::to_string(speed_km_h / 3.6) + R"( } }
      sites { name: "table" interface: "wheel.y" rig { specimen { quarter_vehicle {
        car_mass: 8446.5 secondary_stiffness: 225000 secondary_damping: 10000
        bogie_mass: 1028 primary_stiffness: 1772000 primary_damping: 20000
        wheel_mass: 1267 } } } })";
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test));
  test.mutable_numerical()->mutable_bridge()->set_speed(speed_km_h / 3.6);
  return test;
}

}  // namespace trestle::testing
