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
            "send[0].unit: is inch, which is not known");
  EXPECT_EQ(refusal(ends + out + "send[0].count: 2\n" + in),
            "receive[0].field: the frame that is received needs one displacement and one "
            "force for each drive that is sent");
}

}  // namespace
}  // namespace trestle::udp_target
