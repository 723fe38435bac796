#include "tests/cli/bond_graph_test_case.h"

namespace trestle::cli {
namespace {

/// Section 5 with each actuator at a separate site, in one process and in three.
class CliBondGraphSites : public BondGraphTestCase {
 protected:
  /// Of both ports: 5/5 Hz, 3/5 Hz, sweep.
  using Table = std::array<std::array<double, 2>, 3>;

  /// The three excitations of the table.
  std::vector<std::string> tests() const {
    return {drawn("two_sites.yaml"), at_three_and_five("two_sites.yaml"),
            swept("two_sites.yaml")};
  }

  /// @param rig  settings of a rig, of all of them
  void expect_same_and_as(const Words& settings, const Words& rig, const Table& oracle) {
    Words of_test = settings, at_sites;
    for (const std::string& one : rig) {
      at_sites = at_sites + Words{"--set", "rig." + one};
      for (const char* site : {"left", "right"})
        of_test = of_test + Words{"--set", "sites." + std::string(site) + ".rig." + one};
    }
    const std::vector<std::string> all = tests();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string here = "here-" + std::to_string(i);
      const std::string apart = "apart-" + std::to_string(i);
      run(all[i], here, of_test + meeting(here + "-meeting"));
      expect_rms(here, oracle[i][0], oracle[i][1]);
      run_apart(all[i], apart, of_test, at_sites);
      EXPECT_EQ(exported(here), exported(apart)) << all[i];
      EXPECT_EQ(summary(here).at("criteria"), summary(apart).at("criteria")) << all[i];
    }
  }

  /// 5 % more damping, 4 % less stiffness, friction.
  const Words kMismatched{
      "transfer_systems=[{mass: 2.2 kg, stiffness: 0.96*13618 N/m, damping: 1.05*150.8 "
      "N.s/m, friction: {force: 1.5 N, speed: 2 mm/s}}, {mass: 2.2 kg, stiffness: "
      "0.96*25902 N/m, damping: 1.05*200.8 N.s/m, friction: {force: 1.5 N, speed: 2 "
      "mm/s}}]"};
};

TEST_F(CliBondGraphSites, VirtualJunctionInThreeProcessesAsInOne) {
  expect_same_and_as(kPlain, {}, {{{0.0272, 0.0216}, {0.0100, 0.0149}, {0.0117, 0.0114}}});
}

TEST_F(CliBondGraphSites, WithoutJunctionInThreeProcessesAsInOne) {
  expect_same_and_as(kWithoutJunction + kOpenLoop + kPlain, {},
                     {{{0.3577, 0.2437}, {0.5012, 0.3284}, {0.3497, 0.2345}}});
}

TEST_F(CliBondGraphSites, MismatchedInThreeProcessesAsInOne) {
  expect_same_and_as(kPlain, kMismatched,
                     {{{0.1113, 0.0688}, {0.0594, 0.0464}, {0.0611, 0.0414}}});
}

TEST_F(CliBondGraphSites, MismatchedWithoutJunctionInThreeProcessesAsInOne) {
  expect_same_and_as(kWithoutJunction + kOpenLoop + kPlain, kMismatched,
                     {{{0.4191, 0.2810}, {0.5406, 0.3597}, {0.3884, 0.2631}}});
}

}  // namespace
}  // namespace trestle::cli
