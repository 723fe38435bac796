#include <gtest/gtest.h>
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/bus/memory_network.h"
#include "core/bus/zmq_transport.h"
#include "core/ports/transport.h"
#include "tests/support/sample_messages.h"

namespace trestle {
namespace {

using namespace std::chrono_literals;
using testing::same;

/// One integrator and the sites west and east, as every implementation builds them.
struct Bus {
  virtual ~Bus() = default;
  virtual Transport& integrator() = 0;
  virtual Transport& site(int site) = 0;
};

struct MemoryBus final : Bus {
  Transport& integrator() override { return network.integrator(); }
  Transport& site(int site) override { return network.site(site); }
  bus::MemoryNetwork network{2};
};

struct Keys {
  explicit Keys(bool wanted) {
    std::array<char, 41> open{};
    std::array<char, 41> own{};
    if (!wanted || zmq_curve_keypair(open.data(), own.data()) != 0) return;
    open_half = open.data();
    secret = own.data();
  }
  bus::BusSecurity guard() const { return {.secret_key = secret}; }

  std::string open_half;
  std::string secret;
};

struct ZmqBus final : Bus {
  enum class Caller { kSites, kIntegrator };

  ZmqBus(const std::string& address, Caller caller, bool by_key = false) {
    const Keys center_keys(by_key);
    const std::array<Keys, 2> keys{Keys(by_key), Keys(by_key)};
    bus::IntegratorEndpoint endpoint{
        .listen = "",
        .sites = {{names[0], "", keys[0].open_half}, {names[1], "", keys[1].open_half}},
        .security = center_keys.guard()};
    if (caller == Caller::kSites) {
      endpoint.listen = address;
      for (std::size_t i = 0; i < names.size() && by_key; ++i)
        endpoint.security.peers.push_back({names[i], keys[i].open_half});
      center = bus::ZmqTransport::for_integrator(endpoint);
      for (std::size_t i = 0; i < names.size(); ++i)
        sites[i] = bus::ZmqTransport::for_site({.name = names[i],
                                                .listen = "",
                                                .integrator = center->bound_endpoint(),
                                                .integrator_key = center_keys.open_half,
                                                .security = keys[i].guard()});
    } else {
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string own = address.starts_with("ipc") ? address + names[i] : address;
        bus::BusSecurity security = keys[i].guard();
        if (by_key) security.peers.push_back({"lab", center_keys.open_half});
        sites[i] = bus::ZmqTransport::for_site(
            {.name = names[i], .listen = own, .integrator = "", .security = security});
        endpoint.sites[i].address = sites[i]->bound_endpoint();
      }
      center = bus::ZmqTransport::for_integrator(endpoint);
    }
  }
  Transport& integrator() override { return *center; }
  Transport& site(int site) override { return *sites[static_cast<std::size_t>(site)]; }

  std::array<std::string, 2> names{"west", "east"};
  std::unique_ptr<bus::ZmqTransport> center;
  std::array<std::unique_ptr<bus::ZmqTransport>, 2> sites;
};

struct Kind {
  std::string name;
  std::function<std::unique_ptr<Bus>(const std::string& folder)> make;
};
void PrintTo(const Kind& kind, std::ostream* stream) {
  *stream << kind.name;
}

/// Far above what anything takes here, even on a busy machine under a sanitizer.
bool receive_within(Transport& transport, ReceivedMessage& into,
                    std::chrono::seconds patience = 30s) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  do {
    if (transport.receive(into)) return true;
    transport.wait(20ms);
  } while (std::chrono::steady_clock::now() < deadline);
  return false;
}

RecordChunk long_message() {
  RecordChunk chunk;
  chunk.content.assign(100'000, 'x');
  return chunk;
}

class TransportContract : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "trestle-bus-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    bus_ = GetParam().make(folder_);
    for (int site = 0; site < 2; ++site) meet(site);
  }
  void TearDown() override {
    bus_.reset();
    std::filesystem::remove_all(folder_);
  }

  /// Until the connection stands nothing is queued: call until there is an answer, and then
  /// let all calls but the last pass by.
  void meet(int site) {
    ReceivedMessage in;
    for (int i = 0; i < 500 && !bus_->integrator().receive(in); ++i) {
      bus_->site(site).send(0, Start{});
      bus_->integrator().wait(10ms);
    }
    ASSERT_TRUE(bus_->integrator().send(site, Start{}));
    ASSERT_TRUE(receive_within(bus_->site(site), in));
    ASSERT_TRUE(bus_->site(site).send(0, Stop{}));
    do ASSERT_TRUE(receive_within(bus_->integrator(), in));
    while (!std::holds_alternative<Stop>(in.session));
  }

  std::string folder_;
  std::unique_ptr<Bus> bus_;
  ReceivedMessage in_;
};

TEST_P(TransportContract, CommandsArriveBitForBit) {
  for (const int dofs : {0, 1, 2, 24}) {
    for (const bool feedforward : {false, true, false}) {
      const StepCommand sent = testing::sample_command(dofs, feedforward);
      ASSERT_TRUE(bus_->integrator().send(1, sent));
      ASSERT_TRUE(receive_within(bus_->site(1), in_));
      ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kStepCommand);
      EXPECT_EQ(in_.peer, 0);
      EXPECT_TRUE(same(in_.command, sent)) << dofs << feedforward;
    }
  }
}

TEST_P(TransportContract, ResponsesArriveBitForBit) {
  for (const int dofs : {0, 1, 24}) {
    const StepResponse sent = testing::sample_response(dofs, dofs == 24 ? 16 : dofs);
    ASSERT_TRUE(bus_->site(1).send(0, sent));
    ASSERT_TRUE(receive_within(bus_->integrator(), in_));
    ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kStepResponse);
    EXPECT_EQ(in_.peer, 1);
    EXPECT_TRUE(same(in_.response, sent)) << dofs;
  }
}

TEST_P(TransportContract, EverySessionMessageArrivesWholeEitherWay) {
  for (SessionMessage& sent : testing::sample_session_messages()) {
    // By key a site speaks under no name but its own.
    if (auto* const hello = std::get_if<Hello>(&sent)) hello->site.name = "west";
    ASSERT_TRUE(bus_->integrator().send(0, sent));
    ASSERT_TRUE(receive_within(bus_->site(0), in_));
    ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kSession);
    EXPECT_TRUE(same(in_.session, sent)) << sent.index();
    ASSERT_TRUE(bus_->site(0).send(0, sent));
    ASSERT_TRUE(receive_within(bus_->integrator(), in_));
    ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kSession);
    EXPECT_TRUE(same(in_.session, sent)) << sent.index();
  }
}

TEST_P(TransportContract, KeepsTheOrderOfEachPeer) {
  StepResponse response = testing::sample_response(2, 2);
  for (int k = 0; k < 20; ++k) {
    for (const int site : {0, 1}) {
      response.step = k;
      ASSERT_TRUE(bus_->site(site).send(0, response));
      ASSERT_TRUE(bus_->site(site).send(0, Stopped{.last_step = k}));
    }
  }
  std::array<int, 2> seen{};
  for (int n = 0; n < 80; ++n) {
    ASSERT_TRUE(receive_within(bus_->integrator(), in_));
    const int place = seen[static_cast<std::size_t>(in_.peer)]++;
    if (place % 2 == 0) {
      ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kStepResponse);
      EXPECT_EQ(in_.response.step, place / 2);
    } else {
      ASSERT_EQ(in_.kind, ReceivedMessage::Kind::kSession);
      EXPECT_EQ(std::get<Stopped>(in_.session).last_step, place / 2);
    }
  }
}

TEST_P(TransportContract, ReceivesNothingWhereNothingIsAndLeavesTheRoomAlone) {
  in_.peer = 17;
  in_.problem = "untouched";
  EXPECT_FALSE(bus_->integrator().receive(in_));
  EXPECT_FALSE(bus_->site(0).receive(in_));
  EXPECT_EQ(in_.peer, 17);
  EXPECT_EQ(in_.problem, "untouched");
}

TEST_P(TransportContract, ATimeoutEndsAWaitForNothing) {
  bus_->integrator().wait(0ns);
  bus_->integrator().wait(-1ns);
  bus_->site(0).wait(1500us);
  EXPECT_FALSE(bus_->site(0).receive(in_));
}

TEST_P(TransportContract, SendsNothingToAPeerThatIsNotOfTheTest) {
  EXPECT_FALSE(bus_->integrator().send(2, testing::sample_command(2, false)));
  EXPECT_FALSE(bus_->integrator().send(-1, Start{}));
  EXPECT_FALSE(bus_->site(0).send(1, testing::sample_response(2, 2)));
  EXPECT_FALSE(bus_->site(0).send(-1, Start{}));
}

TEST_P(TransportContract, AFullQueueRefusesAndLosesNothingThatItTook) {
  RecordChunk chunk = long_message();
  while (chunk.offset < 5000 && bus_->integrator().send(0, chunk)) ++chunk.offset;
  const std::uint64_t sent = chunk.offset;
  ASSERT_LT(sent, 5000U) << "the queue has no bound";
  ASSERT_GT(sent, 16U);
  for (std::uint64_t k = 0; k < sent; ++k) {
    ASSERT_TRUE(receive_within(bus_->site(0), in_)) << k << " of " << sent;
    ASSERT_EQ(std::get<RecordChunk>(in_.session).offset, k);
  }
  bool again = bus_->integrator().send(0, Start{});
  for (int i = 0; i < 200 && !again; ++i) {
    bus_->integrator().wait(10ms);
    again = bus_->integrator().send(0, Start{});
  }
  EXPECT_TRUE(again) << "an emptied queue takes messages again";
}

TEST_P(TransportContract, AFullQueueOfOneSiteLeavesTheOtherReachable) {
  const RecordChunk chunk = long_message();
  for (int sent = 0; sent < 5000 && bus_->integrator().send(0, chunk); ++sent) continue;
  ASSERT_TRUE(bus_->integrator().send(1, Start{}));
  EXPECT_TRUE(receive_within(bus_->site(1), in_));
}

TEST_P(TransportContract, RefusesWhatIsTooLongAndLivesOn) {
  Configure configure;
  configure.compensator = "\xff\xff";  // no bytes of a config.Compensator
  EXPECT_FALSE(bus_->site(0).send(0, Rejection{std::string(bus::kMaxMessageBytes, 'x')}));
  EXPECT_FALSE(bus_->site(0).send(0, configure));
  ASSERT_TRUE(
      bus_->site(0).send(0, Rejection{std::string(bus::kMaxMessageBytes - 64, 'x')}));
  ASSERT_TRUE(receive_within(bus_->integrator(), in_));
  EXPECT_EQ(std::get<Rejection>(in_.session).reason.size(), bus::kMaxMessageBytes - 64);
}

std::unique_ptr<Bus> memory(const std::string& /*folder*/) {
  return std::make_unique<MemoryBus>();
}
std::unique_ptr<Bus> ipc(const std::string& folder) {
  return std::make_unique<ZmqBus>("ipc://" + folder + "/bus", ZmqBus::Caller::kSites);
}
std::unique_ptr<Bus> tcp(const std::string& /*folder*/) {
  return std::make_unique<ZmqBus>("tcp://127.0.0.1:0", ZmqBus::Caller::kSites);
}
std::unique_ptr<Bus> ipc_called(const std::string& folder) {
  return std::make_unique<ZmqBus>("ipc://" + folder + "/", ZmqBus::Caller::kIntegrator);
}
std::unique_ptr<Bus> tcp_called(const std::string& /*folder*/) {
  return std::make_unique<ZmqBus>("tcp://127.0.0.1:0", ZmqBus::Caller::kIntegrator);
}
std::unique_ptr<Bus> curve(const std::string& /*folder*/) {
  return std::make_unique<ZmqBus>("tcp://127.0.0.1:0", ZmqBus::Caller::kSites, true);
}
std::unique_ptr<Bus> curve_called(const std::string& /*folder*/) {
  return std::make_unique<ZmqBus>("tcp://127.0.0.1:0", ZmqBus::Caller::kIntegrator, true);
}

INSTANTIATE_TEST_SUITE_P(All, TransportContract,
                         ::testing::Values(Kind{"Memory", memory}, Kind{"ZmqIpc", ipc},
                                           Kind{"ZmqTcp", tcp},
                                           Kind{"ZmqIpcSiteListens", ipc_called},
                                           Kind{"ZmqTcpSiteListens", tcp_called},
                                           Kind{"ZmqCurve", curve},
                                           Kind{"ZmqCurveSiteListens", curve_called}),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace trestle
