#include "core/math/transfer_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/base/setting_error.h"

namespace trestle::math {
namespace {

using Complex = std::complex<double>;

Complex value(const TransferFunction& function, Complex s) {
  const auto polynomial = [s](const std::vector<double>& coefficients) {
    Complex sum = 0.0;
    for (const double coefficient : coefficients) sum = sum * s + coefficient;
    return sum;
  };
  return polynomial(function.numerator) / polynomial(function.denominator);
}

// Coefficients of both tables as they were published with the specification of the
// vehicle–bridge tests, nine digits.
TEST(TransferFunction, TheServoHydraulicTableHasItsPublishedCoefficients) {
  const TransferFunction table = transfer_function(ServoHydraulicTable{});
  const std::vector<double> published{1.0,          713.141532,   2.33120056e5,
                                      3.05101763e7, 3.50672728e9, 8.76681819e10};
  ASSERT_EQ(table.denominator.size(), published.size());
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(table.denominator[i] / published[i], 1.0, 1e-6) << i;
  EXPECT_NEAR(table.numerator[0] / published[5], 1.0, 1e-6);
}

TEST(TransferFunction, TheServoHydraulicTableLosesAmplitudeAsPublished) {
  const TransferFunction table = transfer_function(ServoHydraulicTable{});
  for (const auto& [frequency, amplitude] :
       {std::pair{2.0, 0.936}, {5.0, 0.741}, {15.0, 0.459}, {30.0, 0.131}})
    EXPECT_NEAR(std::abs(value(table, {0.0, 2.0 * std::numbers::pi * frequency})),
                amplitude, 5e-4)
        << frequency;
}

TEST(TransferFunction, TheBesselTableHasItsPublishedCoefficients) {
  const TransferFunction table = bessel_filter(5, 0.040);
  const std::vector<double> published{1.0,      375.0,        65625.0,
                                      6.5625e6, 3.69140625e8, 9.22851562e9};
  for (std::size_t i = 0; i < published.size(); ++i)
    EXPECT_NEAR(table.denominator[i] / published[i], 1.0, 1e-6) << i;
}

TEST(TransferFunction, ItsStatesAreOfOneSizeAndGiveTheSameResponse) {
  const TransferFunction table = transfer_function(ServoHydraulicTable{});
  const StateSpace system = realise(table, "table");
  // σ = A₅^(1/5) = 154.372, and nothing much above it: no 10¹⁰.
  EXPECT_NEAR(system.A(0, 1), 154.372, 1e-3);
  EXPECT_LT(system.A.cwiseAbs().maxCoeff(), 10.0 * 154.372);
  for (const double frequency : {0.1, 2.0, 25.0, 80.0}) {
    const Complex s{0.0, 2.0 * std::numbers::pi * frequency};
    EXPECT_NEAR(std::abs(frequency_response(system, s)(0, 0) / value(table, s) - 1.0), 0.0,
                1e-9)
        << frequency;
  }
}

TEST(TransferFunction, ZerosAreRealisedToo) {
  const TransferFunction function{{3.0, 40.0, 500.0}, {2.0, 30.0, 700.0, 9000.0}};
  const StateSpace system = realise(function, "function");
  for (const double omega : {0.5, 10.0, 90.0}) {
    const Complex s{0.0, omega};
    EXPECT_NEAR(std::abs(frequency_response(system, s)(0, 0) / value(function, s) - 1.0),
                0.0, 1e-12);
  }
}

TEST(TransferFunction, WhatCannotBeRealisedIsRefused) {
  EXPECT_THROW(realise(TransferFunction{{1.0, 2.0}, {1.0, 3.0}}, "f"), SettingError);
  EXPECT_THROW(realise(TransferFunction{{1.0}, {0.0, 1.0, 3.0}}, "f"), SettingError);
  EXPECT_THROW(realise(TransferFunction{{1.0}, {1.0, 3.0, 0.0}}, "f"), SettingError);
  EXPECT_THROW(realise(TransferFunction{{1.0}, {1.0, NAN, 3.0}}, "f"), SettingError);
}

}  // namespace
}  // namespace trestle::math
