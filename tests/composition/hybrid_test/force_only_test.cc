#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "core/base/setting_error.h"
#include "core/bus/memory_network.h"
#include "core/bus/message_codec.h"
#include "core/record/site_step_columns.h"
#include "core/timing/node_runner.h"
#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "site-servers/node/site_node.h"
#include "studies/pretest/demand_factory.h"
#include "tests/composition/hybrid_test/lab_bench.h"
#include "tests/numerical/node/session_fakes.h"

namespace trestle::composition {
namespace {

using testing::FakeRecorder;

const std::string kModel = R"(
  test: "bay" time_step: 0.0009765625 duration: 1 seed: 7
  excitation { record: "synthetic" synthetic { duration: 1 } }
  numerical { matrices {
    dofs: ["a.x", "a.rz", "b.rz"]
    mass { rows { values: [6000, 0, 0] } rows { values: [0, 400, 0] }
           rows { values: [0, 0, 400] } }
    stiffness { rows { values: [3e5, 5e4, 2e4] } rows { values: [5e4, 4e5, 3e4] }
                rows { values: [2e4, 3e4, 5e5] } }
    damping { rayleigh { ratio: 0.05 } } } })";

const std::string kSpecimen = R"(
  specimen { kinematic {
    stiffness { values: [1e5, 2e4, 2e4, 1e4] } stiffness { values: [2e4, 9e4, 1e4, 0] }
    stiffness { values: [2e4, 1e4, 8e4, 5e3] } stiffness { values: [1e4, 0, 5e3, 4e4] }
    damping { values: [50, 0, 0, 0] } damping { values: [0, 40, 0, 0] }
    damping { values: [0, 0, 40, 0] } damping { values: [0, 0, 0, 20] }
    mass { values: [20, 0, 0, 0] } mass { values: [0, 2, 0, 0] }
    mass { values: [0, 0, 2, 0] } mass { values: [0, 0, 0, 1] } } })";

const std::string kLagging = R"(
  transfer_matrix { zpk {
    entries { to: 1 from: 1 poles { re: -100 im: 60 } poles { re: -100 im: -60 }
              dc_gain: 0.95 }
    entries { to: 2 from: 1 poles { re: -100 im: 60 } poles { re: -100 im: -60 }
              dc_gain: 0.05 }
    entries { to: 2 from: 2 poles { re: -120 } dc_gain: 0.97 } } }
  integration: ACTUATOR_INTEGRATION_RUNGE_KUTTA force_from_measured: true
  noise { displacement: 1e-6 sequence { seed: 123 } }
  noise { displacement: 1e-6 sequence { seed: 123 } })";

/// A bay on a coupler of two actuators, which feels the rotation of a node besides.
config::Test bay(const std::string& rig, const std::string& published = "") {
  config::Test test;
  const std::string site = R"(sites {
    name: "west" interface: ["a.x", "a.rz"] force_only: "b.rz"
    loading_frame { coupler { arm: 0.3 angle: 0.44 clockwise: true )" +
                           published + " } } rig {" + rig + kSpecimen + "} }";
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kModel + site, &test)) << site;
  return test;
}

/// Hands on what is left of every message once it was bytes.
class WireTransport final : public Transport {
 public:
  explicit WireTransport(Transport& inner) : inner_(inner) {}
  bool send(int peer, const StepCommand& message) noexcept override {
    return decode(codec_.encode(message)) && inner_.send(peer, in_.command);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return decode(codec_.encode(message)) && inner_.send(peer, in_.response);
  }
  bool send(int peer, const SessionMessage& message) override {
    return decode(codec_.encode(message)) && inner_.send(peer, in_.session);
  }
  bool receive(ReceivedMessage& into) override { return inner_.receive(into); }
  void lock_peer(bool keep) noexcept override { inner_.lock_peer(keep); }
  void wait(Duration timeout) noexcept override { inner_.wait(timeout); }

 private:
  bool decode(std::span<const std::byte> bytes) {
    const std::vector<std::byte> copy(bytes.begin(), bytes.end());
    return codec_.decode(copy, in_);
  }
  Transport& inner_;
  bus::MessageCodec codec_;
  ReceivedMessage in_;
};

/// A whole test with its one site, and what both ends kept of it.
struct BayRun {
  explicit BayRun(const config::Test& test, bool wire) {
    auto substructure = make_numerical(test, numerical_parts(test), nullptr);
    integrator_node::IntegratorSettings settings =
        integrator_settings(test, "", substructure->steps());
    settings.session = {1};
    bus::MemoryNetwork network(1);
    WireTransport far_integrator(network.integrator());
    WireTransport far_site(network.site(0));
    const auto end = [wire](WireTransport& far, Transport& near) -> Transport& {
      if (wire) return far;
      return near;
    };
    const auto rig = make_rig(test.sites(0), "sites[0]");
    timing::VirtualClock clock;
    site_node::SiteNode site(site_settings(test.sites(0), "", 1, "sites[0]"), *rig,
                             end(far_site, network.site(0)), {at_site.recording()}, clock);
    integrator_node::IntegratorNode integrator(settings, *substructure,
                                               end(far_integrator, network.integrator()),
                                               at_integrator.recording(), clock);
    timing::NodeRunner({&integrator, &site}, clock, [] { return true; }).run();
    report = integrator.report();
    channels = record::SiteStepColumns("west", settings.sites[0].layout,
                                       rig->description().actuators)
                   .channels();
    motion = substructure->channels().size();
  }

  /// Of a channel at the integrator, all steps.
  std::vector<double> results(const std::string& name) const {
    const auto found =
        std::find_if(channels.begin(), channels.end(),
                     [&name](const Channel& channel) { return channel.name == name; });
    EXPECT_NE(found, channels.end()) << name;
    std::vector<double> values;
    for (const auto& [step, row] : at_integrator.sinks[1].rows)
      values.push_back(row[static_cast<std::size_t>(found - channels.begin())]);
    return values;
  }
  /// Of the structure, one column per channel.
  std::vector<std::vector<double>> motions() const {
    std::vector<std::vector<double>> rows;
    for (const auto& [step, row] : at_integrator.sinks[1].rows)
      rows.emplace_back(row.end() - static_cast<std::ptrdiff_t>(motion), row.end());
    return rows;
  }

  FakeRecorder at_site;
  FakeRecorder at_integrator;
  evaluation::RunReport report;
  Channels channels;
  std::size_t motion = 0;
};

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST(ForceOnly, OverTheWireTheRecordHasTheSameBits) {
  const config::Test test = bay(kLagging, "sine_in_inverse: true");
  const BayRun here(test, false);
  const BayRun there(test, true);
  EXPECT_EQ(here.report.result, evaluation::RunResult::kComplete) << here.report.reason;
  EXPECT_EQ(there.report.result, evaluation::RunResult::kComplete) << there.report.reason;
  EXPECT_EQ(here.report.steps_done, 1025);
  EXPECT_TRUE(testing::same_record(here.at_site, there.at_site));
  EXPECT_TRUE(testing::same_record(here.at_integrator, there.at_integrator));
}

TEST(ForceOnly, SuchADofHasAForceInTheRecordAndNoMotion) {
  const BayRun run(bay(kLagging), false);
  std::vector<std::string> names;
  for (const Channel& channel : run.channels) names.push_back(channel.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "west.a.x.target_m", "west.a.x.measured_m", "west.a.x.force_N",
                "west.a.rz.target_rad", "west.a.rz.measured_rad", "west.a.rz.force_Nm",
                "west.b.rz.force_Nm", "west.1.target_m", "west.1.command_m",
                "west.1.measured_m", "west.1.force_N", "west.2.target_m",
                "west.2.command_m", "west.2.measured_m", "west.2.force_N"}));
  EXPECT_GT(largest(run.results("west.b.rz.force_Nm")), 0.0);
  EXPECT_EQ(run.at_site.sinks[0].rows.front().second.size(), 2U) << "intent: two targets";
  EXPECT_EQ(run.at_site.sinks[1].rows.front().second.size(), run.channels.size());
  // The noise of both transducers is one sequence: it moves x and leaves the rotation.
  EXPECT_NE(run.results("west.1.measured_m").front(), 0.0);
  EXPECT_NEAR(run.results("west.a.rz.measured_rad").front(), 0.0, 1e-18);
}

// Every tick's differences amplify the rounding of strokes, 1e-18 m, by 1/dt^2 = 1e6 and a
// mass of 20 kg, against forces of 1e3 N.
TEST(ForceOnly, OnAnIdealRigItIsTheUndividedStructure) {
  config::Test test = bay("");
  const BayRun cut(test, false);
  ASSERT_EQ(cut.report.result, evaluation::RunResult::kComplete) << cut.report.reason;
  const std::vector<std::vector<double>> motions = cut.motions();
  test.set_undivided(true);
  const auto whole = make_numerical(test, numerical_parts(test), nullptr);
  whole->prepare();
  whole->correct(-1, {});
  std::vector<double> row(whole->channels().size());
  std::vector<double> error(row.size(), 0.0);
  std::vector<double> most(row.size(), 0.0);
  for (std::int64_t k = 0; k < whole->steps(); ++k) {
    whole->predict(k, {});
    ASSERT_TRUE(whole->correct(k, {}));
    whole->record(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      most[i] = std::max(most[i], std::abs(row[i]));
      error[i] =
          std::max(error[i], std::abs(row[i] - motions[static_cast<std::size_t>(k)][i]));
    }
  }
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_GT(most[i], 0.0);
    EXPECT_LT(error[i], 1e-9 * most[i]) << whole->channels()[i].name;
  }
}

TEST(ForceOnly, TheDemandOnTheActuatorsIsEstimatedThroughTheCoupler) {
  const std::vector<pretest::SiteDemand> demands = pretest::estimate_demand(bay(kLagging));
  ASSERT_EQ(demands.size(), 1U);
  EXPECT_TRUE(demands[0].known);
  ASSERT_EQ(demands[0].actuators.size(), 2U);
  EXPECT_EQ(demands[0].kinds, (std::vector<DofKind>(2, DofKind::kTranslation)));
  for (const ActuatorLimits& peak : demands[0].actuators) {
    EXPECT_GT(peak.displacement, 0.0);
    EXPECT_GT(peak.rate, 0.0);
    EXPECT_GT(peak.force, 0.0);
  }
}

/// What is wrong with the site of a test, all parts taken together.
std::string problem(const config::Test& test) {
  try {
    check_test(test);
    make_numerical(test, numerical_parts(test), nullptr);
    integrator_settings(test, "", 1);
    site_settings(test.sites(0), "", 1, "sites[0]");
    make_rig(test.sites(0), "sites[0]");
  } catch (const SettingError& error) {
    return error.what();
  }
  return "none";
}

TEST(ForceOnly, AMistakeInTheNamesIsTold) {
  EXPECT_EQ(problem(bay("")), "none");
  config::Test test = bay("");
  test.mutable_sites(0)->set_force_only(0, "a.x");
  EXPECT_EQ(problem(test),
            "sites[0].force_only[0]: a.x stands twice in the interface of west; name each "
            "DOF once, as controlled or as force-only");
  test.mutable_sites(0)->set_force_only(0, "c.rz");
  EXPECT_EQ(problem(test).substr(0, 22), "sites[0].force_only[0]");
  test = bay("");
  test.mutable_sites(0)->mutable_limits()->add_interface()->set_dof("b.rz");
  test.mutable_sites(0)->mutable_limits()->mutable_interface(0)->set_displacement(1.0);
  EXPECT_EQ(problem(test),
            "sites[0].limits.interface[0]: `b.rz` is force-only; it gets no target to "
            "limit");
  test = bay("");
  test.mutable_sites(0)->mutable_interface()->SwapElements(0, 1);
  EXPECT_EQ(problem(test),
            "sites[0].interface: a coupler moves x and rz of its node, in this order; its "
            "interface is [a.rz, a.x]");
  test = bay("");
  for (int i = 0; i < 30; ++i) test.mutable_sites(0)->add_force_only("b.rz");
  EXPECT_EQ(
      problem(test),
      "sites[0].interface: site west has 33 interface DOFs, force-only ones included; "
      "at most 24 are possible");
}

}  // namespace
}  // namespace trestle::composition
