#include "core/math/zeros_poles_gain.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/base/setting_error.h"
#include "core/math/transfer_matrix.h"

namespace trestle::math {
namespace {

using Complex = std::complex<double>;

Complex exact(const ZerosPolesGain& transfer, Complex s) {
  Complex value = transfer.gain;
  for (const Complex zero : transfer.zeros) value *= s - zero;
  for (const Complex pole : transfer.poles) value /= s - pole;
  return value;
}

/// Frequencies in Hz, as they are published.
ZerosPolesGain in_hertz(std::vector<Complex> zeros, std::vector<Complex> poles,
                        double gain) {
  for (Complex& zero : zeros) zero *= 2.0 * std::numbers::pi;
  for (Complex& pole : poles) pole *= 2.0 * std::numbers::pi;
  return {std::move(zeros), std::move(poles), gain};
}

/// The control plant of the maRTHS benchmark (Condori Uribe et al. 2023).
std::vector<TransferEntry> marths_plant() {
  const Complex up(-50.0, 63.0);
  const Complex down(-50.0, -63.0);
  return {{0, 0, in_hertz({-120.0, -90.0}, {up, down, -2.65, -40.0}, 2165.2)},
          {1, 0, in_hertz({-120.0, -90.0}, {up, down, -2.65, -40.0}, 349.95)},
          {0, 1, in_hertz({-3.0}, {up, down, -3.5, -18.5}, 4.5394e6)},
          {1, 1, in_hertz({-5.0}, {up, down, -3.5, -18.5}, 1.9238e7)}};
}

const std::vector<std::string> kPaths(4, "rig.transfer_matrix");

TEST(ZerosPolesGain, MarthsPlantHasItsPublishedGainsAtRest) {
  const Eigen::MatrixXcd rest =
      frequency_response(realise(marths_plant(), 2, 2, kPaths), 0.0);
  // H11, H21; H12, H22, as published: the second column's zeros at -3 and -5 Hz.
  EXPECT_NEAR(rest(0, 0).real(), 0.863812, 5e-7);
  EXPECT_NEAR(std::abs(rest(1, 0)), 0.139613, 5e-7);
  EXPECT_NEAR(std::abs(rest(0, 1)), 0.131070, 5e-7);
  EXPECT_NEAR(rest(1, 1).real(), 0.925792, 5e-7);
}

TEST(ZerosPolesGain, MarthsPlantHasItsPublishedResponseAtTheFirstMode) {
  const Complex s(0.0, 2.0 * std::numbers::pi * 2.29);
  const Eigen::MatrixXcd response =
      frequency_response(realise(marths_plant(), 2, 2, kPaths), s);
  const auto degrees = [](Complex value) {
    return std::arg(value) * 180.0 / std::numbers::pi;
  };
  EXPECT_NEAR(std::abs(response(0, 0)), 0.6530, 5e-5);
  EXPECT_NEAR(std::abs(response(1, 0)), 0.1055, 5e-5);
  EXPECT_NEAR(std::abs(response(0, 1)), 0.1370, 5e-5);
  EXPECT_NEAR(std::abs(response(1, 1)), 0.8458, 5e-5);
  EXPECT_NEAR(degrees(response(0, 0)), -43.6, 0.05);
  EXPECT_NEAR(degrees(response(1, 1)), -17.7, 0.05);
}

TEST(ZerosPolesGain, EveryMixOfRealAndComplexRootsIsRealised) {
  const Complex a(-3.0, 4.0);
  const Complex b(-20.0, 50.0);
  const std::vector<ZerosPolesGain> transfers{
      {{}, {}, 2.5},
      {{}, {-3.0}, 7.0},
      {{-4.0}, {-3.0}, 7.0},
      {{a, std::conj(a)}, {-1.0, -2.0}, 0.5},
      {{a, std::conj(a)}, {-1.0, -2.0, -5.0}, 0.5},
      {{a, std::conj(a), -7.0}, {b, std::conj(b), -2.0}, -3.0},
      {{-7.0, -8.0, -9.0}, {b, std::conj(b), std::conj(a), a}, 1e3},
      {{-7.0, -8.0}, {b, std::conj(b)}, 1.0},
      {{a, std::conj(a), b, std::conj(b)}, {-1.0, -2.0, -3.0, -4.0}, 1.0},
  };
  for (const ZerosPolesGain& transfer : transfers)
    for (const double omega : {0.0, 1.0, 30.0, 4e3}) {
      const Complex s(0.0, omega);
      const Complex found = frequency_response(realise(transfer, "zpk"), s)(0, 0);
      EXPECT_NEAR(std::abs(found / exact(transfer, s) - 1.0), 0.0, 1e-10)
          << transfer.zeros.size() << " zeros, " << transfer.poles.size() << " poles at "
          << omega;
    }
}

std::string problem(const ZerosPolesGain& transfer) {
  try {
    realise(transfer, "rig.zpk");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

TEST(ZerosPolesGain, MoreZerosThanPolesAreRefused) {
  EXPECT_EQ(
      problem({{-1.0, -2.0}, {-3.0}, 1.0}),
      "rig.zpk: has 2 zeros and 1 poles; a rig needs at least as many poles as zeros");
}

TEST(ZerosPolesGain, APoleWithoutItsConjugateIsNamed) {
  EXPECT_EQ(problem({{}, {Complex(-3.0, 4.0), -1.0}, 1.0}),
            "rig.zpk.poles: -3 + 4j has no conjugate; give -3 - 4j too");
}

TEST(ZerosPolesGain, AnEntryOutsideTheMatrixOrGivenTwiceIsRefused) {
  std::vector<TransferEntry> entries = marths_plant();
  EXPECT_THROW(realise(entries, 1, 2, kPaths), SettingError);
  entries[1] = entries[0];
  EXPECT_THROW(realise(entries, 2, 2, kPaths), SettingError);
}

}  // namespace
}  // namespace trestle::math
