// CPU of one control tick: the control loop on a rig that costs nothing, and the simulated
// rig alone. `allocations` is per tick and must be 0.

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "adapters/simulated/bouc_wen_hinge.h"
#include "adapters/simulated/column_specimen.h"
#include "adapters/simulated/independent_actuators.h"
#include "adapters/simulated/linear_actuators.h"
#include "adapters/simulated/simulated_rig.h"
#include "site-servers/compensators/ats_compensator.h"
#include "site-servers/compensators/no_compensator.h"
#include "site-servers/compensators/polynomial_extrapolation.h"
#include "site-servers/controllers/pass_through.h"
#include "site-servers/controllers/pid_controller.h"
#include "site-servers/kinematics/matrix_frame.h"
#include "site-servers/node/control_loop.h"
#include "tests/support/heap_counter.h"

namespace trestle {
namespace {

constexpr int kActuators = 2;
constexpr int kTicksPerStep = 4;
constexpr double kTick = 1.0 / 1024.0;

/// Every read finds the drive, on a spring of 1 MN/m.
class FreeRig final : public SiteAdapter {
 public:
  RigDescription description() const override { return {}; }
  void prepare(const RigRun& /*run*/) override {}
  AdapterStatus read(TimePoint /*now*/, Measurement& sensed) noexcept override {
    sensed.displacement = position_;
    sensed.force = 1e6 * position_;
    return AdapterStatus::kOk;
  }
  AdapterStatus write(const ActuatorVector& drive) noexcept override {
    position_ = drive;
    return AdapterStatus::kOk;
  }
  void hold() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  ActuatorVector position_ = ActuatorVector::Zero(kActuators);
};

/// Steps of a slow sine, so that every part has something to do.
class SineTest {
 public:
  SineTest(const kinematics::MatrixFrame& frame, std::unique_ptr<Compensator> compensator,
           std::unique_ptr<ActuatorController> controller)
      : frame_(frame),
        loop_(settings(), frame_, {std::move(compensator), std::move(controller)}, rig_,
              nullptr) {
    command_.step = -1;
    command_.target = InterfaceMotion::zero(kActuators);
    loop_.sense(TimePoint{});
  }

  void tick() {
    if (!loop_.step_open()) {
      loop_.answer(answer_);
      benchmark::DoNotOptimize(answer_);
      ++command_.step;
      const double t = static_cast<double>(command_.step) * kTicksPerStep * kTick;
      command_.target.displacement.setConstant(0.02 * std::sin(5.0 * t));
      command_.target.velocity.setConstant(0.1 * std::cos(5.0 * t));
      command_.target.acceleration.setConstant(-0.5 * std::sin(5.0 * t));
      loop_.accept(command_);
    }
    loop_.act();
    loop_.sense(TimePoint{});
  }

  bool sound() const { return !loop_.fault(); }

 private:
  static site_node::ControlLoopSettings settings() {
    site_node::ControlLoopSettings settings{.time_step = kTicksPerStep * kTick,
                                            .ticks_per_step = kTicksPerStep};
    settings.layout.resize(kActuators);
    return settings;
  }

  kinematics::MatrixFrame frame_;
  FreeRig rig_;
  site_node::ControlLoop loop_;
  StepCommand command_;
  StepResponse answer_;
};

std::unique_ptr<Compensator> compensator(const std::string& kind) {
  if (kind == "ats")
    return std::make_unique<compensators::AtsCompensator>(
        kActuators, compensators::AtsSettings{.tick = kTick, .expected_delay = 0.01});
  if (kind == "polynomial")
    return std::make_unique<compensators::PolynomialExtrapolation>(
        kActuators, compensators::PolynomialSettings{.tick = kTick, .delay = 0.01});
  return std::make_unique<compensators::NoCompensator>();
}

std::unique_ptr<ActuatorController> controller(bool pid) {
  if (!pid) return std::make_unique<controllers::PassThrough>();
  return std::make_unique<controllers::PidController>(
      kActuators, controllers::PidSettings{.tick = kTick,
                                           .proportional = 0.1,
                                           .integral = 0.1,
                                           .derivative = 1e-5,
                                           .filter = 50.0});
}

kinematics::MatrixFrame loading_frame(bool matrix) {
  if (!matrix) return kinematics::MatrixFrame::identity(kActuators);
  return kinematics::MatrixFrame(Eigen::Matrix2d{{1.0, 0.4}, {1.0, -0.6}});
}

/// Counts before it measures, so that no allocation of the benchmark library is among them,
/// and none of ours, be it one in a thousand ticks, is rounded away.
template <typename Tick>
void measure(benchmark::State& state, Tick tick) {
  constexpr int kCounted = 4096;
  for (int n = 0; n < kCounted; ++n) tick();  // learnt, warm
  const std::size_t before = testing::heap_allocations();
  for (int n = 0; n < kCounted; ++n) tick();
  const std::size_t allocations = testing::heap_allocations() - before;
  for ([[maybe_unused]] const auto& round : state) tick();
  state.counters["allocations"] = static_cast<double>(allocations) / kCounted;
}

void control_loop(benchmark::State& state, const std::string& kind, bool matrix, bool pid) {
  SineTest test(loading_frame(matrix), compensator(kind), controller(pid));
  measure(state, [&test] { test.tick(); });
  if (!test.sound()) state.SkipWithError("the loop tripped");
}

simulated::SimulatedRig simulated_rig() {
  const simulated::ColumnSettings column{.dofs = 2,
                                         .elastic_modulus = 210e9,
                                         .area = 78.1e-4,
                                         .second_moment = 5696e-8,
                                         .height = 3.0};
  const simulated::HingeSettings hinge{180e3, 0.03,
                                       simulated::ColumnSpecimen::end_stiffness(column)};
  std::vector<std::unique_ptr<simulated::ActuatorModel>> actuators;
  for (int i = 0; i < kActuators; ++i)
    actuators.push_back(std::make_unique<simulated::LinearActuators>(
        simulated::second_order_lag(18.0, 0.7, 1.0)));
  simulated::SimulatedRig rig(
      "bench", {},
      {std::make_unique<simulated::IndependentActuators>(std::move(actuators)),
       std::make_unique<simulated::ColumnSpecimen>(
           column, std::make_unique<simulated::BoucWenHinge>(hinge, 2.0),
           std::make_unique<simulated::BoucWenHinge>(hinge, 2.0)),
       std::make_unique<kinematics::MatrixFrame>(
           kinematics::MatrixFrame::identity(kActuators)),
       {ActuatorVector::Constant(kActuators, 2e-6),
        ActuatorVector::Constant(kActuators, 20.0)}});
  rig.prepare({.tick = kTick, .seed = 7});
  return rig;
}

/// @param amplitude  [m]; the column yields from about 0.05 on
void simulated_rig(benchmark::State& state, double amplitude) {
  simulated::SimulatedRig rig = simulated_rig();
  Measurement sensed = Measurement::zero(kActuators);
  ActuatorVector drive = ActuatorVector::Zero(kActuators);
  std::int64_t n = 0;
  measure(state, [&] {
    rig.read(TimePoint(Duration(n * 976562)), sensed);
    benchmark::DoNotOptimize(sensed);
    drive(0) = amplitude * std::sin(0.005 * static_cast<double>(++n));
    rig.write(drive);
  });
}

void add_benchmarks() {
  for (const std::string kind : {"none", "polynomial", "ats"})
    for (const bool matrix : {false, true})
      for (const bool pid : {false, true})
        benchmark::RegisterBenchmark(
            ("control_loop/" + kind + (matrix ? "/matrix" : "/identity") +
             (pid ? "/pid" : "/pass-through"))
                .c_str(),
            [kind, matrix, pid](benchmark::State& state) {
              control_loop(state, kind, matrix, pid);
            });
  for (const double amplitude : {0.001, 0.1})
    benchmark::RegisterBenchmark(
        amplitude < 0.05 ? "simulated_rig/elastic" : "simulated_rig/yielding",
        [amplitude](benchmark::State& state) { simulated_rig(state, amplitude); });
}

}  // namespace
}  // namespace trestle

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  trestle::add_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
