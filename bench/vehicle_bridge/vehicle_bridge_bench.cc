// Wall time of one control step of a vehicle–bridge test: bridge, force, ATS, LQG and the
// simulated table with its vehicle, on one thread, step by step over many crossings.
// Allocations must be 0.
//   vehicle_bridge_bench [CASE.yaml [--set ...]]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/hybrid_test/substructure_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "composition/sites/compensator_factory.h"
#include "composition/sites/controller_factory.h"
#include "core/yaml/override.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "tests/support/heap_counter.h"

namespace trestle {
namespace {

constexpr int kCrossings = 40;

/// One test of one site, as the integrator and the site would step it, in one loop.
class Steps {
 public:
  Steps(const std::string& file, const std::vector<std::string>& overrides)
      : setup_(composition::load_hybrid_test(
            file, yaml::parse_command_line_overrides(overrides), "bench")) {
    config::Test& test = setup_->test;
    test.clear_reference();
    substructure_ = composition::make_substructure(test, nullptr);
    const config::Site& site = test.sites(0);
    wheels_ = site.interface_size();
    compensator_ = composition::make_compensator(site.compensator(), wheels_,
                                                 test.time_step(), "compensator");
    controller_ = composition::make_controller(site.controller(), wheels_, test.time_step(),
                                               "controller");
    rig_ = composition::make_rig(site, "sites[0]");
    request_.target = InterfaceMotion::zero(wheels_);
    request_.feedforward_target = InterfaceMotion::zero(wheels_);
    request_.command_feedforward = InterfaceVector::Zero(wheels_);
    sensed_ = Measurement::zero(wheels_);
  }

  /// Time of every step of one crossing [us], behind those that are there.
  /// @returns heap allocations in its steps
  std::size_t cross(std::vector<double>& times) {
    using Clock = std::chrono::steady_clock;
    substructure_->prepare();
    compensator_->reset();
    controller_->reset();
    rig_->prepare({.tick = setup_->test.time_step(), .seed = 1});
    ActuatorVector command = ActuatorVector::Zero(wheels_);
    const std::size_t before = testing::heap_allocations();
    for (std::int64_t step = 0; step < substructure_->steps(); ++step) {
      const Clock::time_point begin = Clock::now();
      rig_->read(session_time(step), sensed_);
      answer_ = {sensed_.displacement, sensed_.force};
      substructure_->correct(step - 1, {&answer_, 1});
      substructure_->predict(step, {&request_, 1});
      const InterfaceMotion& target = request_.target;
      command =
          compensator_->command({target.displacement, target.velocity, target.acceleration},
                                sensed_.displacement, command);
      rig_->write(controller_->drive(command, sensed_));
      const std::chrono::duration<double, std::micro> taken = Clock::now() - begin;
      times.push_back(taken.count());
    }
    return testing::heap_allocations() - before;
  }

  std::int64_t steps() const noexcept { return substructure_->steps(); }

 private:
  TimePoint session_time(std::int64_t step) const noexcept {
    const double seconds = static_cast<double>(step) * setup_->test.time_step();
    return TimePoint(Duration(static_cast<Duration::rep>(1e9 * seconds)));
  }

  std::unique_ptr<composition::HybridTestSetup> setup_;
  std::unique_ptr<NumericalSubstructure> substructure_;
  std::unique_ptr<Compensator> compensator_;
  std::unique_ptr<ActuatorController> controller_;
  std::unique_ptr<SiteAdapter> rig_;
  int wheels_ = 1;
  Measurement sensed_ = Measurement::zero(1);
  SiteResponse answer_;
  SiteTarget request_;
};

}  // namespace
}  // namespace trestle

int main(int count, char** arguments) {
  std::string file = TRESTLE_SOURCE_DIR "/examples/vehicle_bridge/case2.yaml";
  std::vector<std::string> overrides;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--set" && i + 1 < count)
      overrides.emplace_back(arguments[++i]);
    else
      file = word;
  }
  trestle::Steps steps(file, overrides);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(steps.steps() * trestle::kCrossings));
  std::size_t allocations = 0;
  for (int i = 0; i < trestle::kCrossings; ++i) allocations += steps.cross(times);
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) {
    return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
  };
  std::printf(
      "%zu steps: median %.2f us, p99 %.2f us, p99.9 %.2f us, longest %.1f us, "
      "%zu allocations\n",
      times.size(), at(0.5), at(0.99), at(0.999), times.back(), allocations);
  return allocations == 0 ? 0 : 1;
}
