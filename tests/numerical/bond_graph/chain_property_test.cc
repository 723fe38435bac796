#include <gtest/gtest.h>

#include <complex>

#include "numerical/bond_graph/substructuring.h"
#include "numerical/bond_graph/substructuring_stability.h"
#include "tests/numerical/bond_graph/draw.h"
#include "tests/numerical/bond_graph/sample_chains.h"

namespace trestle::bond_graph {
namespace {

using Complex = std::complex<double>;

ChainSettings random_chain(Draw& draw) {
  const auto mass = [&] {
    return MassSettings{.m = draw.between(0.5, 3.0),
                        .k = draw.between(50.0, 500.0),
                        .c = draw.between(0.2, 3.0)};
  };
  ChainSettings settings;
  settings.masses.clear();
  for (std::size_t n = draw.index(2, 5); n > 0; --n) settings.masses.push_back(mass());
  settings.cut = draw.index(1, settings.masses.size() - 1);
  settings.transfer = mass();
  return settings;
}

/// From the wall to the last mass, through aNum, exact transfer system and specimen.
Complex closed_loop(const Substructuring& test, Complex s) {
  const Eigen::MatrixXcd command =
      math::frequency_response(*test.augmented.system.linear, s).row(0);
  const Complex transfer = math::frequency_response(test.augmented.transfer_model, s)(0, 0);
  const Eigen::MatrixXcd physical = math::frequency_response(*test.physical.linear, s);
  const Complex velocity =
      transfer * command(0, 1) / (1.0 - transfer * (command(0, 0) - 1.0) * physical(0, 0));
  return physical(1, 0) * velocity;
}

TEST(VirtualJunction, MakesRandomChainsWhatTheyWereBeforeTheCut) {
  Draw draw(2005);
  double worst = 0.0;
  for (int i = 0; i < 60; ++i) {
    const Substructuring test = substructure(chain(random_chain(draw)));
    for (int j = 0; j < 4; ++j) {
      const Complex s{draw.between(0.5, 5.0), draw.between(1.0, 40.0)};
      const Complex whole = math::frequency_response(*test.whole.linear, s)(2, 0);
      worst = std::max(worst, std::abs(closed_loop(test, s) - whole) / std::abs(whole));
    }
  }
  EXPECT_LE(worst, 1e-12);
  RecordProperty("worst", std::to_string(worst));
}

TEST(BondGraphLoops, KnowTheUncompensatedLoopIsUnstable) {
  for (const double load : {1.0, 0.0}) {
    const auto loops = loop_stability(substructure(two_ports({.load = load})));
    ASSERT_TRUE(loops.has_value());
    // Specification, section 6.1.
    EXPECT_NEAR(loops->whole.rate, -0.7988, 5e-5);
    EXPECT_NEAR(loops->whole.frequency, 5.66, 5e-3);
    EXPECT_NEAR(loops->junction.rate, -0.7988, 5e-5);
    EXPECT_NEAR(loops->loaded->rate, 7.48, 5e-3);
    EXPECT_NEAR(loops->loaded->frequency, 9.80, 5e-3);
    EXPECT_NEAR(loops->stiff->rate, 11.21, 5e-3);
    EXPECT_NEAR(loops->stiff->frequency, 9.86, 6e-3);
  }
}

}  // namespace
}  // namespace trestle::bond_graph
