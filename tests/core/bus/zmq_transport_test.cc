#include "core/bus/zmq_transport.h"

#include <gtest/gtest.h>
#include <zmq.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/sample_messages.h"

namespace trestle::bus {
namespace {

using namespace std::chrono_literals;

class ZmqTransportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "trestle-zmq-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    address_ = "ipc://" + folder_ + "/bus";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<ZmqTransport> integrator() const {
    return ZmqTransport::for_integrator(
        {.listen = address_, .sites = {{"west", ""}, {"east", ""}}});
  }
  std::unique_ptr<ZmqTransport> site(const std::string& name) const {
    return ZmqTransport::for_site({.name = name, .listen = "", .integrator = address_});
  }

  /// Sends until it arrives: what a Hello does.
  static bool reaches(ZmqTransport& from, int peer, ZmqTransport& to, ReceivedMessage& in) {
    for (int i = 0; i < 300; ++i) {
      from.send(peer, Start{});
      to.wait(10ms);
      if (to.receive(in)) return true;
    }
    return false;
  }

  static std::string complaint(const IntegratorEndpoint& endpoint) {
    try {
      ZmqTransport::for_integrator(endpoint);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
  std::string address_;
  ReceivedMessage in_;
};

/// A peer that speaks ZeroMQ but not our messages.
class RawDealer {
 public:
  RawDealer(const std::string& name, const std::string& address)
      : context_(zmq_ctx_new()), socket_(zmq_socket(context_, ZMQ_DEALER)) {
    const int none = 0;
    zmq_setsockopt(socket_, ZMQ_LINGER, &none, sizeof none);
    zmq_setsockopt(socket_, ZMQ_ROUTING_ID, name.data(), name.size());
    zmq_connect(socket_, address.c_str());
  }
  ~RawDealer() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  RawDealer(const RawDealer&) = delete;
  RawDealer& operator=(const RawDealer&) = delete;

  void send(const std::string& bytes, bool more = false) const {
    zmq_send(socket_, bytes.data(), bytes.size(), more ? ZMQ_SNDMORE : 0);
  }

 private:
  void* context_;
  void* socket_;
};

bool next(ZmqTransport& transport, ReceivedMessage& in) {
  for (int i = 0; i < 100; ++i) {
    if (transport.receive(in)) return true;
    transport.wait(20ms);
  }
  return false;
}

TEST_F(ZmqTransportTest, EndsMeetInWhateverOrderTheyStart) {
  const auto west = site("west");  // its integrator does not exist yet
  EXPECT_FALSE(west->send(0, Start{}));
  west->wait(25ms);
  const auto center = integrator();
  EXPECT_FALSE(center->send(1, Start{})) << "east never came";
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  EXPECT_EQ(in_.peer, 0);
  const auto east = site("east");
  ASSERT_TRUE(reaches(*east, 0, *center, in_));
}

TEST_F(ZmqTransportTest, ASiteThatComesBackIsTheSamePeer) {
  const auto center = integrator();
  auto west = site("west");
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  west.reset();
  west = site("west");
  while (center->receive(in_)) continue;
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  EXPECT_EQ(in_.peer, 0);
  EXPECT_TRUE(reaches(*center, 0, *west, in_));
}

TEST_F(ZmqTransportTest, ASiteFindsAnIntegratorThatComesBack) {
  auto center = integrator();
  const auto west = site("west");
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  center.reset();
  center = integrator();
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  EXPECT_TRUE(reaches(*center, 0, *west, in_));
}

TEST_F(ZmqTransportTest, WhoComesUnderATakenNameTakesThePlaceOver) {
  const auto center = integrator();
  const auto hung = site("west");  // its connection stands, its process does not answer
  ASSERT_TRUE(reaches(*hung, 0, *center, in_));
  const auto restarted = site("west");
  ASSERT_TRUE(reaches(*restarted, 0, *center, in_));
  ASSERT_TRUE(reaches(*center, 0, *restarted, in_));
  EXPECT_FALSE(hung->receive(in_));
}

TEST_F(ZmqTransportTest, BytesThatAreNoMessageAreToldAndLeaveNoHarm) {
  const auto center = integrator();
  const RawDealer west("west", address_);
  west.send("\xff\xff\xff garbage");
  west.send("");
  west.send("two", true);
  west.send("frames");
  west.send(std::string("\x52\x00", 2));  // Start
  for (int n = 0; n < 3; ++n) {
    ASSERT_TRUE(next(*center, in_)) << n;
    EXPECT_EQ(in_.kind, ReceivedMessage::Kind::kMalformed);
    EXPECT_EQ(in_.peer, 0);
    EXPECT_FALSE(in_.problem.empty());
  }
  EXPECT_EQ(in_.problem, "a message of several frames");
  ASSERT_TRUE(next(*center, in_));
  EXPECT_TRUE(std::holds_alternative<Start>(in_.session));
}

TEST_F(ZmqTransportTest, AnOverlongMessageNeverArrivesAndTheNextOneDoes) {
  const auto center = integrator();
  {
    const RawDealer west("west", address_);
    west.send(std::string(4 * kMaxMessageBytes, 'x'));
    const auto east = site("east");
    ASSERT_TRUE(reaches(*east, 0, *center, in_));
    EXPECT_EQ(in_.peer, 1);
  }
  const auto west = site("west");
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
}

TEST_F(ZmqTransportTest, StrangersAreDroppedCountedAndNamed) {
  const auto center = integrator();
  const RawDealer stranger("wset\n", address_);
  for (int n = 0; n < 3; ++n) stranger.send(std::string("\x52\x00", 2));
  for (int i = 0; i < 100 && center->dropped() < 3; ++i) {
    center->wait(10ms);
    EXPECT_FALSE(center->receive(in_));
  }
  EXPECT_EQ(center->dropped(), 3U);
  EXPECT_EQ(center->unknown_peers(), std::vector<std::string>{"wset?"});
}

TEST_F(ZmqTransportTest, ASiteThatKeepsItsIntegratorHearsNobodyElse) {
  const auto west =
      ZmqTransport::for_site({.name = "west", .listen = address_, .integrator = ""});
  const auto call = [this] {
    return ZmqTransport::for_integrator({.listen = "", .sites = {{"west", address_}}});
  };
  const auto first = call();
  ASSERT_TRUE(reaches(*first, 0, *west, in_));
  west->lock_peer(true);
  const auto second = call();
  for (int i = 0; i < 300 && west->dropped() < 3; ++i) {
    second->send(0, Start{});
    west->wait(10ms);
    EXPECT_FALSE(west->receive(in_));
  }
  EXPECT_GE(west->dropped(), 3U);
  ASSERT_TRUE(west->somebody_waits());
  west->answer_those_who_wait(Busy{.test = "frame"});
  EXPECT_FALSE(west->somebody_waits()) << "each is answered once, however often it called";
  ASSERT_TRUE(next(*second, in_));
  ASSERT_TRUE(std::holds_alternative<Busy>(in_.session));
  EXPECT_EQ(std::get<Busy>(in_.session).test, "frame");
  for (int n = 0; n < 10; ++n) {
    ASSERT_TRUE(west->send(0, Stop{}));
    ASSERT_TRUE(next(*first, in_)) << "no answer of a test goes astray";
    EXPECT_TRUE(std::holds_alternative<Stop>(in_.session));
  }
  EXPECT_FALSE(second->receive(in_));
  west->lock_peer(false);  // the test is over: the last caller is next
  ASSERT_TRUE(west->send(0, Stop{}));
  EXPECT_TRUE(next(*second, in_));
  ASSERT_TRUE(reaches(*first, 0, *west, in_));
  ASSERT_TRUE(west->send(0, Stop{}));
  EXPECT_TRUE(next(*first, in_)) << "and so is whoever speaks last";
}

TEST_F(ZmqTransportTest, SaysWhichAddressCannotBeUsedAndWhy) {
  const auto first =
      ZmqTransport::for_integrator({.listen = "tcp://127.0.0.1:0", .sites = {}});
  EXPECT_EQ(complaint({.listen = first->bound_endpoint(), .sites = {}}),
            "cannot listen at " + first->bound_endpoint() + ": Address already in use");
  const auto second = integrator();
  EXPECT_EQ(complaint({.listen = address_, .sites = {}}),
            "cannot listen at " + address_ + ": another process does");
  EXPECT_EQ(complaint({.listen = "lab-west:7000", .sites = {}}),
            "cannot listen at lab-west:7000: Invalid argument");
  EXPECT_EQ(complaint({.listen = "", .sites = {{"west", "tcp://localhost"}}}),
            "cannot call tcp://localhost: Invalid argument");
}

TEST_F(ZmqTransportTest, RefusesNamesThatCouldNotBeToldApart) {
  EXPECT_EQ(complaint({.listen = address_, .sites = {{"west", ""}, {"west", ""}}}),
            "two sites are named west; names are unique");
  EXPECT_NE(complaint({.listen = address_, .sites = {{"", ""}}}), "");
  EXPECT_NE(complaint({.listen = "", .sites = {{"west", ""}}}), "") << "cannot ever meet";
  EXPECT_THROW(ZmqTransport::for_site({.name = "west", .listen = "", .integrator = ""}),
               std::runtime_error);
  EXPECT_THROW(
      ZmqTransport::for_site({.name = "west", .listen = address_, .integrator = address_}),
      std::runtime_error);
  EXPECT_THROW(ZmqTransport::for_site(
                   {.name = std::string(256, 'w'), .listen = "", .integrator = address_}),
               std::runtime_error);
}

TEST_F(ZmqTransportTest, WakingEndsTheWaitOfNowOrTheNextOne) {
  const auto west = site("west");
  west->wake();
  west->wait(1h);
  std::jthread other([&west] { west->wake(); });
  west->wait(1h);
  EXPECT_FALSE(west->receive(in_));
}

TEST_F(ZmqTransportTest, AMessageEndsAWait) {
  const auto center = integrator();
  const auto west = site("west");
  ASSERT_TRUE(reaches(*west, 0, *center, in_));
  while (center->receive(in_)) continue;
  ASSERT_TRUE(west->send(0, testing::sample_response(2, 2)));
  center->wait(1h);
  EXPECT_TRUE(center->receive(in_));
}

}  // namespace
}  // namespace trestle::bus
