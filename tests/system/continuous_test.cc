#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/system/lab_run.h"

namespace trestle::continuous_test {
namespace {

using testing::LabRun;
using testing::run_lab;
using Settings = std::vector<std::string>;

std::string two_site_frame() {
  std::ifstream file(TRESTLE_SOURCE_DIR "/examples/two_site_frame/test.yaml");
  return {std::istreambuf_iterator<char>(file), {}};
}

Settings operator+(Settings left, const Settings& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Settings kFourSeconds{"duration=4 s", "recording.ticks=10"};
/// A step takes 150/1024 s, in 30 ticks: about a round trip over the ocean.
const Settings kSlow =
    kFourSeconds + Settings{"mode=continuous", "clock=virtual", "continuous.scale=150",
                            "sites.west.control_tick=5/1024 s",
                            "sites.east.control_tick=5/1024 s"};
const Settings kOcean{"sites.west.link=ocean", "sites.east.link=ocean"};

double seconds_of(const evaluation::SiteReport& site, std::int64_t ticks) {
  return static_cast<double>(ticks) * site.control_tick;
}

double nrmse(const LabRun& run, const LabRun& against) {
  const Eigen::VectorXd expected = against.row("roof_w.x.disp_m");
  const Eigen::VectorXd found = run.row("roof_w.x.disp_m");
  return found.size() == expected.size() ? (found - expected).norm() / expected.norm()
                                         : 1e300;
}

LabRun completed(const Settings& settings) {
  LabRun run = run_lab(two_site_frame(), settings);
  EXPECT_EQ(run.report.result, evaluation::RunResult::kComplete) << run.report.reason;
  EXPECT_EQ(run.results.cols(), run.report.steps_planned);
  EXPECT_TRUE(run.results.allFinite());
  return run;
}

// Against the same test without an ocean: what is different is what the network costs. The
// simulated test is another one, since its actuators move 150 times faster; and the
// undivided structure is the truth about all of them.
TEST(ContinuousMode, CrossesAnOceanBetterThanRampAndHold) {
  const LabRun simulated = completed(kFourSeconds);
  const LabRun undivided = completed(kFourSeconds + Settings{"undivided=true"});
  const LabRun near = completed(kSlow);
  const LabRun smooth = completed(kSlow + kOcean);
  const LabRun ramp = completed(kSlow + kOcean + Settings{"continuous.ramp_and_hold=true"});
  for (const auto& [name, run] :
       {std::pair{"continuous", &smooth}, {"ramp and hold", &ramp}})
    for (const evaluation::SiteReport& site : run->report.sites)
      std::printf("%-14s%s: slowed %.1f s, held %.1f s\n", name, site.name.c_str(),
                  seconds_of(site, site.pace.value().slowed),
                  seconds_of(site, site.pace.value().held));
  std::printf("NRMSE of the roof     against: no ocean  undivided  simulated\n");
  for (const auto& [name, run] : {std::pair{"simulated", &simulated},
                                  {"continuous, no ocean", &near},
                                  {"continuous", &smooth},
                                  {"ramp and hold", &ramp}})
    std::printf("%-30s%8.3f %% %8.3f %% %8.3f %%\n", name, 100.0 * nrmse(*run, near),
                100.0 * nrmse(*run, undivided), 100.0 * nrmse(*run, simulated));
  EXPECT_LT(nrmse(smooth, near), 0.5 * nrmse(ramp, near));
  EXPECT_LT(nrmse(smooth, undivided), 0.5 * nrmse(ramp, undivided));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(smooth.report.sites[i].pace.value().held, 0) << "outages of a second";
    EXPECT_LT(smooth.report.sites[i].pace.value().held,
              ramp.report.sites[i].pace.value().held / 10);
    EXPECT_EQ(near.report.sites[i].pace.value().held, 0);
  }
}

}  // namespace
}  // namespace trestle::continuous_test
