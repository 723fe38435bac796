// The loop of a batch for one instruction set; TRESTLE_LANES_OF_MODULE runs at a time. A
// separate module, so that the linker keeps no function of it for the whole program.
#include "studies/lanes/lane_loop.h"

using trestle::lanes::LaneHost;
using trestle::lanes::LaneLoop;
using trestle::lanes::LaneProblem;

extern "C" {

[[gnu::visibility("default")]] int trestle_lanes_version() {
  return trestle::lanes::kLaneModuleVersion;
}

[[gnu::visibility("default")]] int trestle_lanes_count() {
  return TRESTLE_LANES_OF_MODULE;
}

[[gnu::visibility("default")]] void trestle_lanes_run(const LaneProblem& problem,
                                                      const LaneHost& host) {
  LaneLoop<trestle::lanes::Pack<TRESTLE_LANES_OF_MODULE>>(problem).run(host);
}
}
