#include "core/math/transfer_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "core/base/setting_error.h"
#include "core/math/sampled_system.h"
#include "core/math/zeros_poles_gain.h"

namespace trestle::math {
namespace {

using Complex = std::complex<double>;
constexpr double kHertz = 2.0 * std::numbers::pi;

const std::vector<std::string> kEntries(6, "rig.transfer_matrix");

Complex exact_entry(const ZerosPolesGain& transfer, Complex s) {
  Complex value = transfer.gain;
  for (const Complex zero : transfer.zeros) value *= s - zero;
  for (const Complex pole : transfer.poles) value /= s - pole;
  return value;
}

/// A published plant of two coupled servo loops (Condori Uribe et al. 2023): every column
/// has its four poles in common.
std::vector<TransferEntry> coupled_plant() {
  const Complex up = kHertz * Complex(-50.0, 63.0);
  const std::vector<Complex> first{up, std::conj(up), -2.65 * kHertz, -40.0 * kHertz};
  const std::vector<Complex> second{up, std::conj(up), -3.5 * kHertz, -18.5 * kHertz};
  const std::vector<Complex> zeros{-120.0 * kHertz, -90.0 * kHertz};
  return {{0, 0, {zeros, first, 2165.2}},
          {1, 0, {zeros, first, 349.95}},
          {0, 1, {{-3.0 * kHertz}, second, 4.5394e6}},
          {1, 1, {{-5.0 * kHertz}, second, 1.9238e7}}};
}

double worst_response_error(const std::vector<TransferEntry>& entries,
                            const StateSpace& system) {
  double worst = 0.0;
  for (const double omega : {0.0, 1.0, 14.4, 100.0, 500.0, 4e3}) {
    const Complex s(0.0, omega);
    Eigen::MatrixXcd response = frequency_response(system, s);
    for (const TransferEntry& entry : entries) {
      Complex& found = response(entry.output, entry.input);
      worst = std::fmax(worst, std::abs(found / exact_entry(entry.transfer, s) - 1.0));
    }
  }
  return worst;
}

TEST(TransferMatrix, EntriesOfAColumnShareTheStatesOfTheirPoles) {
  const StateSpace system = realise(coupled_plant(), 2, 2, kEntries);
  EXPECT_EQ(system.states(), 8);
  // Roundings times the condition of polynomials of degree four.
  EXPECT_LT(worst_response_error(coupled_plant(), system), 1e-11);
}

TEST(TransferMatrix, SharesAmongEveryMixOfRootsAndOnlyThoseThatAreAlike) {
  const Complex a(-3.0, 4.0);
  const Complex b(-20.0, 50.0);
  const std::vector<TransferEntry> entries{
      {0, 0, {{}, {a, std::conj(a), -7.0}, 2.0}},
      {1, 0, {{b, std::conj(b), -9.0}, {-7.0, std::conj(a), a}, -3.0}},  // with feedthrough
      {2, 0, {{-1.0}, {a, std::conj(a), -8.0}, 2.0}},                    // other poles
      {0, 1, {{}, {a, std::conj(a), -7.0}, 1.0}},                        // other column
      {1, 1, {{}, {}, 0.5}},
      {2, 1, {{}, {}, 0.25}}};
  const StateSpace system = realise(entries, 3, 2, kEntries);
  EXPECT_EQ(system.states(), 9);
  EXPECT_LT(worst_response_error(entries, system), 1e-11);
}

TEST(TransferMatrix, EveryEntryOfAGroupIsChecked) {
  std::vector<TransferEntry> entries = coupled_plant();
  entries[1].transfer.zeros = {Complex(-3.0, 4.0)};
  EXPECT_THROW(realise(entries, 2, 2, kEntries), SettingError);
  entries[1].transfer.zeros.assign(5, -1.0);
  EXPECT_THROW(realise(entries, 2, 2, kEntries), SettingError);
}

TEST(TransferMatrix, AGainFromTheValueAtRest) {
  ZerosPolesGain transfer = coupled_plant()[3].transfer;
  transfer.gain = static_gain(transfer, 0.925792, "dc_gain");
  EXPECT_NEAR(exact_entry(transfer, 0.0).real(), 0.925792, 1e-15);
  // The published gain has five digits, the value at rest six.
  EXPECT_NEAR(transfer.gain / 1.9238e7, 1.0, 1e-5);
  EXPECT_THROW(static_gain({{0.0}, {-1.0}, 1.0}, 1.0, "dc_gain"), SettingError);
  EXPECT_THROW(static_gain({{}, {0.0}, 1.0}, 1.0, "dc_gain"), SettingError);
}

Eigen::MatrixXd read_matrix(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Eigen::MatrixXd matrix(0, 0);
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::vector<double> values;
    for (std::string cell; std::getline(cells, cell, ',');)
      values.push_back(std::stod(cell));
    const auto columns = static_cast<Eigen::Index>(values.size());
    matrix.conservativeResize(matrix.rows() + 1, columns);
    matrix.bottomRows(1) = Eigen::Map<Eigen::RowVectorXd>(values.data(), columns);
  }
  return matrix;
}

TEST(TransferMatrix, StepByStepItIsThePublishedStateSpace) {
  const std::filesystem::path folder =
      std::filesystem::path(TRESTLE_SOURCE_DIR) / ".." / "shared" / "data";
  if (!std::filesystem::exists(folder / "marths_plant_A.csv"))
    GTEST_SKIP() << "no plant beside the sources (../shared/data/marths_plant_A.csv)";
  const StateSpace published{read_matrix(folder / "marths_plant_A.csv"),
                             read_matrix(folder / "marths_plant_B.csv"),
                             read_matrix(folder / "marths_plant_C.csv"),
                             read_matrix(folder / "marths_plant_D.csv")};
  EXPECT_LT(worst_response_error(coupled_plant(), published), 1e-9);
  constexpr double kSample = 1.0 / 1024.0;
  SampledSystem theirs(published, kSample, Discretisation::kRungeKuttaHold);
  SampledSystem ours(realise(coupled_plant(), 2, 2, kEntries), kSample,
                     Discretisation::kRungeKuttaHold);
  double worst = 0.0;
  for (int n = 0; n < 4096; ++n) {
    const Eigen::Vector2d drive(std::sin(0.014 * n), std::cos(0.05 * n));
    theirs.advance(drive);
    ours.advance(drive);
    worst = std::fmax(worst, (theirs.output() - ours.output()).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst, 1e-11);
}

}  // namespace
}  // namespace trestle::math
