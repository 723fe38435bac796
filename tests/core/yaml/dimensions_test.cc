#include "core/yaml/dimensions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace {

using trestle::yaml::read_quantity;
using trestle::yaml::UnitClass;
namespace config = trestle::config;

struct Known {
  const char* text;
  config::Dimension dimension;
  double value;
  UnitClass unit_class = UnitClass::kNone;
};
void PrintTo(const Known& known, std::ostream* stream) {
  *stream << known.text;
}

class QuantitiesOf : public testing::TestWithParam<Known> {};

TEST_P(QuantitiesOf, BecomeSi) {
  const auto quantity = read_quantity(GetParam().text, GetParam().dimension);
  ASSERT_TRUE(quantity) << GetParam().text << " " << quantity.error().detail;
  // A few roundings, each of half a unit in the last place.
  EXPECT_NEAR(quantity.value().value, GetParam().value, 8e-16 * std::abs(GetParam().value))
      << GetParam().text;
  EXPECT_EQ(quantity.value().unit_class, GetParam().unit_class) << GetParam().text;
}

constexpr double kPi = std::numbers::pi;
constexpr UnitClass kTranslation = UnitClass::kTranslation;
constexpr UnitClass kRotation = UnitClass::kRotation;
constexpr UnitClass kCoupling = UnitClass::kCoupling;

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, QuantitiesOf,
    testing::Values(Known{"1/1024 s", config::TIME, 1.0 / 1024},
                    Known{"2*3.5 kN", config::FORCE, 7000},
                    Known{"(1 + 2)*(3 - 1)/4 m", config::LENGTH, 1.5},
                    Known{"2 - 3 - 4", config::PLAIN, -5}, Known{"8/2/2", config::PLAIN, 2},
                    Known{"-(2+1)*2", config::PLAIN, -6},
                    Known{"1e-3", config::PLAIN, 1e-3}, Known{"1E3 N", config::FORCE, 1000},
                    Known{".5", config::PLAIN, 0.5}, Known{"+2", config::PLAIN, 2},
                    Known{"60mm", config::LENGTH, 0.06},
                    Known{"1/3", config::RATIO, 1.0 / 3}));

INSTANTIATE_TEST_SUITE_P(
    Kinematics, QuantitiesOf,
    testing::Values(
        Known{"12 ms", config::TIME, 0.012}, Known{"3 us", config::TIME, 3e-6},
        Known{"3 µs", config::TIME, 3e-6}, Known{"2 min", config::TIME, 120},
        Known{"1 h", config::TIME, 3600}, Known{"18 Hz", config::FREQUENCY, 18},
        Known{"2 kHz", config::FREQUENCY, 2000}, Known{"5 1/s", config::FREQUENCY, 5},
        Known{"6 rad/s", config::FREQUENCY, 3 / kPi}, Known{"2 in", config::LENGTH, 0.0508},
        Known{"1 ft", config::LENGTH, 0.3048}, Known{"3 cm", config::LENGTH, 0.03},
        Known{"1.5 km", config::LENGTH, 1500}, Known{"20 mrad", config::ANGLE, 0.02},
        Known{"180 deg", config::ANGLE, kPi}, Known{"90°", config::ANGLE, kPi / 2},
        Known{"60 mm", config::MOTION, 0.06, kTranslation},
        Known{"1 urad", config::MOTION, 1e-6, kRotation},
        Known{"0.06", config::MOTION, 0.06},
        Known{"400 mm/s", config::MOTION_RATE, 0.4, kTranslation},
        Known{"130 mrad/s", config::MOTION_RATE, 0.13, kRotation},
        Known{"72 km/h", config::VELOCITY, 20},
        Known{"0.5 g", config::ACCELERATION, 4.903325},
        Known{"3 m/s2", config::ACCELERATION, 3}, Known{"3 m/s^2", config::ACCELERATION, 3},
        Known{"3 m/s²", config::ACCELERATION, 3}, Known{"1 m/s/s", config::ACCELERATION, 1},
        Known{"3 m.s^-2", config::ACCELERATION, 3}, Known{"5 %", config::RATIO, 0.05},
        Known{"5%", config::RATIO, 0.05}, Known{"5 mm/m", config::RATIO, 0.005}));

INSTANTIATE_TEST_SUITE_P(
    Mechanics, QuantitiesOf,
    testing::Values(
        Known{"12 t", config::MASS, 12000}, Known{"5 g", config::MASS, 0.005},
        Known{"1 lb", config::MASS, 0.45359237},
        Known{"500 kg.m2", config::ROTATIONAL_INERTIA, 500},
        Known{"30 kg/m", config::MASS_PER_LENGTH, 30},
        Known{"7850 kg/m3", config::DENSITY, 7850},
        Known{"7.85 g/cm3", config::DENSITY, 7850},
        Known{"2 kip", config::FORCE, 2 * 4448.2216152605},
        Known{"2 kips", config::FORCE, 2 * 4448.2216152605},
        Known{"1 lbf", config::FORCE, 4.4482216152605}, Known{"3 MN", config::FORCE, 3e6},
        Known{"3 mN", config::FORCE, 3e-3}, Known{"180 kN.m", config::MOMENT, 180e3},
        Known{"180 kN*m", config::MOMENT, 180e3}, Known{"180 kN·m", config::MOMENT, 180e3},
        Known{"250 kN", config::GENERALISED_FORCE, 250e3, kTranslation},
        Known{"400 kN.m", config::GENERALISED_FORCE, 400e3, kRotation},
        Known{"210 GPa", config::STRESS, 210e9}, Known{"210 kN/mm2", config::STRESS, 210e9},
        Known{"1 psi", config::STRESS, 4.4482216152605 / (0.0254 * 0.0254)},
        Known{"29 ksi", config::STRESS, 29e3 * 4.4482216152605 / (0.0254 * 0.0254)},
        Known{"78.1 cm2", config::AREA, 78.1e-4},
        Known{"5696 cm4", config::SECOND_MOMENT, 5696e-8},
        Known{"2 kN/mm", config::STIFFNESS, 2e6, kTranslation},
        Known{"2 kN.m/rad", config::STIFFNESS, 2e3, kRotation},
        Known{"2 N/rad", config::STIFFNESS, 2, kCoupling},
        Known{"2 kN.s/m", config::DAMPING, 2e3, kTranslation},
        Known{"2 kN/(m/s)", config::DAMPING, 2e3, kTranslation},
        Known{"2 N.m.s/rad", config::DAMPING, 2, kRotation},
        Known{"2 N.s/rad", config::DAMPING, 2, kCoupling},
        Known{"2 t", config::GENERALISED_MASS, 2e3, kTranslation},
        Known{"2 kg.m2", config::GENERALISED_MASS, 2, kRotation}));

std::string refusal(const char* text, config::Dimension dimension) {
  const auto quantity = read_quantity(text, dimension);
  return quantity ? "accepted" : quantity.error().detail;
}

TEST(Quantities, AreTheDoubleNearestToTheDecimal) {
  EXPECT_EQ(read_quantity("9 ms", config::TIME).value().value, 0.009);
  EXPECT_EQ(read_quantity("2 in", config::LENGTH).value().value, 0.0508);
  EXPECT_EQ(read_quantity("5696 cm4", config::SECOND_MOMENT).value().value, 5696e-8);
}

TEST(WrongQuantities, SayTheirUnitAndWhatWouldFit) {
  EXPECT_EQ(refusal("3 mm", config::GENERALISED_FORCE),
            "is given in mm; must be a force or moment (N, kN, kip, N.m, ...)");
  EXPECT_EQ(refusal("3 g", config::TIME),
            "is given in g; must be a time (s, ms, us, min, h)");
  EXPECT_EQ(refusal("3 m", config::PLAIN), "is given in m; must be a plain number");
  EXPECT_EQ(refusal("3 %", config::PLAIN), "is given in %; must be a plain number");
  EXPECT_EQ(
      refusal("3 N.m", config::STIFFNESS),
      "is given in N.m; must be a stiffness (N/m, kN/mm, kip/in, N.m/rad, N/rad, ...)");
}

TEST(WrongQuantities, SayTheUnitThatWasProbablyMeant) {
  EXPECT_EQ(refusal("3 kn", config::FORCE),
            "has the unknown unit `kn`; did you mean `kN`?");
  EXPECT_EQ(refusal("3 Gpa", config::STRESS),
            "has the unknown unit `Gpa`; did you mean `GPa`?");
  EXPECT_EQ(refusal("30 kNm", config::GENERALISED_FORCE),
            "has the unknown unit `kNm`; did you mean `kN.m`?");
  EXPECT_EQ(refusal("210 GP", config::STRESS),
            "has the unknown unit `GP`; did you mean `GPa`?");
}

TEST(WrongQuantities, AreNotGuessed) {
  for (const char* text :
       {"", " ", "abc", "mm", "1 2", "1 +", "1 + mm", "(1", "1)", "0x10", "1,5",
        "12 ms + 3 ms", "1e", "--", "1 s^", "1 s^99", "1 s//s", "s 1", "1 (s"})
    EXPECT_NE(refusal(text, config::TIME), "accepted") << text;
}

TEST(WrongQuantities, AreNotInfinite) {
  for (const char* text :
       {".inf", "-.inf", "inf", ".nan", "nan", "1/0", "0/0", "1e308*10", "1e999"})
    EXPECT_NE(refusal(text, config::TIME), "accepted") << text;
  EXPECT_EQ(refusal(".nan", config::TIME),
            "is `.nan`, which is not finite; must be a time (s, ms, us, min, h)");
  EXPECT_EQ(refusal("1/0 s", config::TIME),
            "is `1/0 s`, which is not finite; must be a time (s, ms, us, min, h)");
}

TEST(WrongQuantities, DoNotExhaustTheStack) {
  EXPECT_NE(refusal(std::string(100'000, '(').c_str(), config::TIME), "accepted");
  EXPECT_NE(refusal((std::string(100'000, '-') + "1").c_str(), config::TIME), "accepted");
  EXPECT_NE(refusal(("1 " + std::string(100'000, '(')).c_str(), config::TIME), "accepted");
}

}  // namespace
