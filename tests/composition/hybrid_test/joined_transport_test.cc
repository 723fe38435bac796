#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "core/bus/composite_transport.h"
#include "core/bus/zmq_transport.h"
#include "core/timing/monotonic_clock.h"
#include "tests/composition/hybrid_test/lab_bench.h"

namespace trestle::composition {
namespace {

TEST(CompositeTransport, GivesTheRecordOfOneProcessWithASiteElsewhere) {
  constexpr std::int64_t kPlanned = 50;
  testing::Lab here(testing::lab_settings(kPlanned));
  here.finish();

  std::string folder = ::testing::TempDir() + "/trestle_joined_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string address = "ipc://" + folder + "/bus";
  const auto bus = bus::ZmqTransport::for_integrator({address, {{"west", ""}}});
  const auto far_end = bus::ZmqTransport::for_site({"west", "", address});
  bus::MemoryNetwork network(1);
  bus::CompositeTransport joined(network.integrator(), *bus, {true, false});

  testing::FakeRecorder west_record, east_record, record;
  testing::LaggingRig west_rig, east_rig;
  timing::MonotonicClock far_clock(*far_end);
  timing::MonotonicClock clock(*bus);
  site_node::SiteNode west(testing::site_settings("west"), west_rig, *far_end,
                           {west_record.recording()}, far_clock);
  site_node::SiteNode east(testing::site_settings("east"), east_rig, network.site(0),
                           {east_record.recording()}, clock);
  testing::FakeSubstructure substructure;
  integrator_node::IntegratorNode integrator(testing::lab_settings(kPlanned), substructure,
                                             joined, record.recording(), clock);

  std::thread elsewhere([&] {
    timing::NodeRunner({&west}, far_clock, [&] {
      return far_clock.now() < TimePoint(std::chrono::seconds(20));
    }).run();
  });
  timing::NodeRunner({&integrator, &east}, clock, [] { return true; }).run();
  elsewhere.join();

  EXPECT_EQ(integrator.report().result, evaluation::RunResult::kComplete)
      << integrator.report().reason;
  EXPECT_GT(integrator.report().step_max_s, 0.0) << "a real bus takes time";
  EXPECT_LE(integrator.report().step_p50_s, integrator.report().step_max_s);
  EXPECT_TRUE(same_record(west_record, here.records[0]));
  EXPECT_TRUE(same_record(east_record, here.records[1]));
  EXPECT_TRUE(same_record(record, here.records[2]));
  std::filesystem::remove_all(folder);
}

TEST(CompositeTransport, KnowsNobodyBesideItsSites) {
  bus::MemoryNetwork here(1), elsewhere(1);
  bus::CompositeTransport joined(here.integrator(), elsewhere.integrator(), {true, false});
  const SessionMessage message{Arm{{1}}};
  EXPECT_FALSE(joined.send(-1, message));
  EXPECT_FALSE(joined.send(2, message));
  EXPECT_TRUE(joined.send(0, message));
  ReceivedMessage incoming;
  EXPECT_TRUE(elsewhere.site(0).receive(incoming)) << "site 0 lives elsewhere";
  here.site(0).send(0, message);
  elsewhere.site(0).send(0, message);
  ASSERT_TRUE(joined.receive(incoming));
  EXPECT_EQ(incoming.peer, 1);
  ASSERT_TRUE(joined.receive(incoming));
  EXPECT_EQ(incoming.peer, 0);
  EXPECT_FALSE(joined.receive(incoming));
}

}  // namespace
}  // namespace trestle::composition
