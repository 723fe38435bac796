#include "adapters/udp_target/frame_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string_view>

#include "adapters/udp_target/target_settings.h"

namespace trestle::udp_target {
namespace {

using Bytes = std::array<std::uint8_t, 8>;

TEST(FrameLayout, WritesAndReadsEveryTypeInBothByteOrders) {
  for (const bool big : {false, true})
    for (const NumberType type :
         {NumberType::kU8, NumberType::kI8, NumberType::kU16, NumberType::kI16,
          NumberType::kU32, NumberType::kI32, NumberType::kU64, NumberType::kI64,
          NumberType::kF32, NumberType::kF64}) {
      Bytes frame{};
      Field field;
      field.type = type;
      ASSERT_TRUE(write_number(frame, field, big, 100.0));
      EXPECT_EQ(read_number(frame, field, big), 100.0);
      EXPECT_EQ(frame[0] == 0, size_of(type) > 1 && (big != (type >= NumberType::kF32)))
          << static_cast<int>(type) << big;
    }
}

TEST(FrameLayout, ReckonsWithScaleOffsetAndUnit) {
  Bytes frame{};
  Field field;
  field.type = NumberType::kI16;
  field.scale = 0.01;   // one count is 0.01 mm
  field.offset = -5.0;  // mm
  field.unit = 1e-3;
  ASSERT_TRUE(write_number(frame, field, false, 0.0125));
  EXPECT_EQ(read_bits(frame, field, false), 1750U);  // (12.5 + 5)/0.01
  EXPECT_NEAR(read_number(frame, field, false), 0.0125, 1e-15);
}

TEST(FrameLayout, WritesNothingThatDoesNotFit) {
  Bytes frame{};
  Field field;
  field.type = NumberType::kI8;
  EXPECT_TRUE(write_number(frame, field, false, 127.4));
  EXPECT_TRUE(write_number(frame, field, false, -128.0));
  EXPECT_FALSE(write_number(frame, field, false, 128.0));
  EXPECT_FALSE(write_number(frame, field, false, -129.0));
  EXPECT_FALSE(write_number(frame, field, false, std::numeric_limits<double>::quiet_NaN()));
  field.type = NumberType::kU64;
  EXPECT_FALSE(write_number(frame, field, false, 1.9e19));
  EXPECT_FALSE(write_number(frame, field, false, -1.0));
  field.type = NumberType::kF32;
  EXPECT_FALSE(write_number(frame, field, false, 1e39));
}

TEST(FrameLayout, HasTheChecksumOfTheStandard) {
  static constexpr std::string_view kCheck = "123456789";
  std::array<std::uint8_t, 9> bytes{};
  std::copy(kCheck.begin(), kCheck.end(), bytes.begin());
  EXPECT_EQ(crc32(bytes), 0xCBF43926U);  // the check value of CRC-32/ISO-HDLC
}

std::string refusal(const std::string& settings) {
  try {
    target_settings(settings.c_str());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

TEST(TargetSettings, SaysWhichSettingIsWrong) {
  const std::string ends = "target: 1.2.3.4:5\nlisten: 0.0.0.0:6\n";
  const std::string out = "send[0].field: drive\nsend[0].type: f32\n";
  const std::string in =
      "receive[0].field: sequence\nreceive[0].type: u8\n"
      "receive[1].field: displacement\nreceive[1].type: f32\n"
      "receive[2].field: force\nreceive[2].type: f32\n";
  EXPECT_EQ(refusal(ends + out + in), "");
  EXPECT_EQ(refusal(out + in), "target is missing; HOST:PORT");
  EXPECT_EQ(refusal(ends + in), "send is missing; list the fields of the frame");
  EXPECT_EQ(refusal(ends + out + in + "speed: 3\n"),
            "speed: is no setting that this plug-in knows");
  EXPECT_EQ(refusal(ends + out + in + "byte_order: middle\n"),
            "byte_order: is middle; must be little or big");
  EXPECT_EQ(refusal(ends + out + in + "send[0].colour: red\n"),
            "send[0].colour: is nothing that a field has; known are field, type, count, "
            "scale, offset, unit, name and value");
  EXPECT_EQ(refusal(ends + out + in + "send[1].field: sequence\nsend[1].type: f32\n"),
            "send[1].type: must be a whole number's");
  EXPECT_EQ(refusal(ends + out + "send[0].unit: inch\n" + in),
            "send[0].unit: is inch; must be a unit of a length or an angle, for example mm "
            "or mrad");
  EXPECT_EQ(refusal(ends + out + "send[0].count: 2\n" + in),
            "receive[0].field: the frame that is received needs one displacement and one "
            "force for each drive that is sent");
}

/// Settings of a target with one actuator, with these lines instead of the usual ones.
std::string one_actuator(const std::string& lines) {
  std::string settings =
      "send[0].field: drive\nsend[0].type: f32\nreceive[0].field: sequence\n"
      "receive[0].type: u8\nreceive[1].field: displacement\nreceive[1].type: f32\n"
      "receive[2].field: force\nreceive[2].type: f32\n";
  for (const char* const usual : {"target: 1.2.3.4:5\n", "listen: 0.0.0.0:6\n"})
    if (lines.find(std::string(usual, 8)) == std::string::npos) settings += usual;
  return settings + lines;
}

// getaddrinfo() cuts a port to 16 bits: the frames would go to another device.
TEST(TargetSettings, RefusesAPortThatIsNone) {
  for (const std::string port :
       {"99999", "65536", "-1", "0", "http", "", "5 ", "+5", "0x5"})
    EXPECT_EQ(
        refusal(one_actuator("target: 127.0.0.1:" + port + "\n")),
        "target: is 127.0.0.1:" + port + "; must be HOST:PORT, the port from 1 to 65535");
  EXPECT_EQ(refusal(one_actuator("target: lab\n")),
            "target: is lab; must be HOST:PORT, the port from 1 to 65535");
  EXPECT_EQ(refusal(one_actuator("from: lab:70000\n")).substr(0, 6), "from: ");
  EXPECT_EQ(refusal(one_actuator("listen: 0.0.0.0:65536\n")).substr(0, 8), "listen: ");
  EXPECT_EQ(refusal(one_actuator("listen: 0.0.0.0:0\n")), "") << "the system chooses one";
  EXPECT_EQ(refusal(one_actuator("target: lab:65535\n")), "");
}

TEST(TargetSettings, RefusesAUnitOfAnotherKind) {
  for (const std::string line :
       {"stale: 3 m", "stale: 3 kN", "stale: 3 Hz", "connect: 5 kN", "watchdog: 100 um",
        "rate: 1 us", "send[0].count: 1 m", "send[0].scale: 2 mm", "send[0].offset: 2 mm",
        "send[0].unit: kN", "send[0].unit: ms", "send[0].unit: deg", "receive[1].unit: kN",
        "receive[1].unit: N/m", "receive[2].unit: mm", "receive[2].unit: kN.m"}) {
    const std::string path = line.substr(0, line.find(':') + 2);
    const std::string why = refusal(one_actuator(line + "\n"));
    EXPECT_EQ(why.substr(0, path.size()), path) << line;
    EXPECT_NE(why.find("must be"), std::string::npos) << line << ": " << why;
  }
  EXPECT_EQ(refusal(one_actuator("stale: 3 m\n")),
            "stale: is 3 m; must be a time, for example ms");
  EXPECT_EQ(refusal(one_actuator("receive[1].unit: mrad\n")), "") << "the others are in SI";
  EXPECT_EQ(
      refusal(one_actuator("receive[1].unit: mrad\nsend[0].unit: mm\n")).substr(0, 14),
      "send[0].unit: ");
  EXPECT_EQ(
      refusal(one_actuator("receive[1].unit: mrad\nreceive[2].unit: kN\n")).substr(0, 17),
      "receive[2].unit: ");
  EXPECT_EQ(refusal(one_actuator("stale: 3\nrate: 1 kHz\nsend[0].unit: deg\n"
                                 "receive[1].unit: mrad\nreceive[2].unit: kN.m\n")),
            "");
}

}  // namespace
}  // namespace trestle::udp_target
