#include "gateway/network_emulator/network_emulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "core/base/setting_error.h"
#include "core/bus/zmq_transport.h"
#include "tests/gateway/network_emulator/relay_host.h"

namespace trestle::network_emulator {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

network::LinkSettings delayed(Duration there, Duration back) {
  network::LinkSettings settings;
  settings.delay = there;
  settings.return_delay = back;
  settings.seed = 7;
  return settings;
}

/// Numbers one after the other, so that a byte out of order shows.
std::string numbered(std::size_t bytes) {
  std::string text;
  for (int n = 0; text.size() < bytes; ++n) text += std::to_string(n) + ' ';
  text.resize(bytes);
  return text;
}

int count(const std::vector<std::string>& lines, const std::string& line) {
  return static_cast<int>(std::count(lines.begin(), lines.end(), line));
}

TEST(NetworkEmulator, BringsNothingBeforeTheModelDoes) {
  const EchoServer echo;
  RelayHost relay(delayed(30ms, 20ms), echo.port());
  const Caller caller(relay.port());
  for (int n = 0; n < 5; ++n) {
    const Steady::time_point sent = Steady::now();
    caller.send("ping");
    ASSERT_EQ(caller.receive(4), "ping");
    EXPECT_GE(Steady::now() - sent, 50ms);
  }
  const RelayStatus status = relay.end();
  EXPECT_EQ(status.out.bytes, 20U);
  EXPECT_EQ(status.back.bytes, 20U);
}

TEST(NetworkEmulator, KeepsEveryByteInOrderWhateverTheJitter) {
  const EchoServer echo;
  network::LinkSettings link = delayed(5ms, 5ms);
  link.jitter = 10ms;
  link.loss = 0.01;
  RelayHost relay(link, echo.port());
  const Caller caller(relay.port());
  const std::string text = numbered(600'000);
  std::jthread sender([&] {
    for (std::size_t at = 0; at < text.size(); at += 1000)
      caller.send(text.substr(at, 1000));
    caller.end();
  });
  EXPECT_TRUE(caller.receive(text.size()) == text);
  EXPECT_EQ(caller.receive(1), "") << "the end is passed on, behind the last byte";
}

TEST(NetworkEmulator, TakesItsTimeForTheBandwidth) {
  const EchoServer echo;
  network::LinkSettings link;
  link.bandwidth = 8e6;  // 1 MB/s
  RelayHost relay(link, echo.port());
  const Caller caller(relay.port());
  const Steady::time_point sent = Steady::now();
  const std::string text = numbered(200'000);
  std::jthread sender([&] { caller.send(text); });
  EXPECT_TRUE(caller.receive(text.size()) == text);
  EXPECT_GE(Steady::now() - sent, 200ms);
}

TEST(NetworkEmulator, StopsReadingWhereTooMuchIsOnItsWay) {
  const EchoServer echo;
  RelayHost relay(delayed(100ms, 0ms), echo.port());
  const Caller caller(relay.port());
  const std::string text = numbered(24'000'000);  // six times what it holds
  std::jthread sender([&] { caller.send(text); });
  const Steady::time_point begin = Steady::now();
  EXPECT_TRUE(caller.receive(text.size()) == text);
  EXPECT_GE(Steady::now() - begin, 500ms) << "in 100 ms it passes what it holds";
}

TEST(NetworkEmulator, ClosesAtAnOutageAndTakesNobodyUntilItIsOver) {
  const EchoServer echo;
  network::LinkSettings link = delayed(1ms, 1ms);
  link.outages = {.every = 1h, .duration = 500ms, .first = 1s, .regular = true};
  const Steady::time_point begin = Steady::now();
  RelayHost relay(link, echo.port());
  const Caller before(relay.port());
  before.send("ping");
  EXPECT_EQ(before.receive(5), "ping") << "and then the connection ends";
  int refused = 0;
  for (bool answered = false; !answered; ++refused) {
    const Caller again(relay.port());
    again.send("pong");
    answered = again.receive(4) == "pong";
    ASSERT_LT(Steady::now() - begin, 30s);
  }
  EXPECT_GE(Steady::now() - begin, 1500ms) << "the end of the outage";
  EXPECT_GT(refused, 1);
  EXPECT_EQ(count(relay.said(), "west: outage of 0.500 s begins"), 1);
  EXPECT_EQ(count(relay.said(), "west: outage ends"), 1);
  EXPECT_EQ(relay.end().outages, 1);
}

TEST(NetworkEmulator, SaysOnceThatNobodyListensAtTheOtherEnd) {
  std::uint16_t nobody = 0;
  { nobody = EchoServer().port(); }
  RelayHost relay({}, nobody);
  for (int n = 0; n < 3; ++n) EXPECT_EQ(Caller(relay.port()).receive(1), "");
  ASSERT_EQ(relay.said().size(), 1U);
  EXPECT_EQ(relay.said().front(), "west: cannot reach 127.0.0.1:" + std::to_string(nobody) +
                                      ": Connection refused");
}

TEST(NetworkEmulator, SaysWhereItCannotListen) {
  const EchoServer taken;
  const RelaySettings settings{
      "west", {"127.0.0.1", taken.port()}, {"127.0.0.1", 1}, network::LinkSettings{}};
  try {
    const NetworkEmulator relay({settings}, {});
    FAIL() << "two listen at one port";
  } catch (const SettingError& error) {
    EXPECT_EQ(std::string(error.what()), "relays[0].listen: cannot listen at 127.0.0.1:" +
                                             std::to_string(taken.port()) +
                                             ": Address already in use");
  }
}

/// A site and its integrator with the relay between them.
class BusOverRelay : public testing::Test {
 protected:
  void begin(const network::LinkSettings& link) {
    site_ = bus::ZmqTransport::for_site(
        {.name = "west", .listen = "tcp://127.0.0.1:*", .integrator = ""});
    const std::string& at = site_->bound_endpoint();
    relay_ = std::make_unique<RelayHost>(
        link, static_cast<std::uint16_t>(std::stoi(at.substr(at.rfind(':') + 1))));
    integrator_ = bus::ZmqTransport::for_integrator(
        {.listen = "",
         .sites = {{"west", "tcp://127.0.0.1:" + std::to_string(relay_->port())}}});
  }

  /// Sends until it arrives, as heartbeats do. @returns false after half a minute
  bool reaches(bus::ZmqTransport& from, bus::ZmqTransport& to) {
    const Steady::time_point deadline = Steady::now() + 30s;
    while (Steady::now() < deadline) {
      from.send(0, SessionMessage{Start{}});
      to.wait(20ms);
      if (to.receive(in_)) return true;
    }
    return false;
  }

  std::unique_ptr<bus::ZmqTransport> site_;
  std::unique_ptr<RelayHost> relay_;
  std::unique_ptr<bus::ZmqTransport> integrator_;
  ReceivedMessage in_;
};

TEST_F(BusOverRelay, GetsMessagesThroughBothWays) {
  begin(delayed(10ms, 10ms));
  ASSERT_TRUE(reaches(*integrator_, *site_));
  ASSERT_TRUE(reaches(*site_, *integrator_));
  while (site_->receive(in_) || integrator_->receive(in_)) continue;
}

TEST_F(BusOverRelay, FindsItselfAgainAfterAnOutage) {
  network::LinkSettings link = delayed(5ms, 5ms);
  link.outages = {.every = 1h, .duration = 200ms, .first = 1s, .regular = true};
  begin(link);
  ASSERT_TRUE(reaches(*integrator_, *site_));
  const Steady::time_point deadline = Steady::now() + 30s;
  while (count(relay_->said(), "west: outage ends") == 0 && Steady::now() < deadline) {
    integrator_->wait(20ms);
    integrator_->receive(in_);
    site_->receive(in_);
  }
  while (site_->receive(in_) || integrator_->receive(in_)) continue;
  EXPECT_TRUE(reaches(*integrator_, *site_));
  EXPECT_TRUE(reaches(*site_, *integrator_));
  EXPECT_GE(count(relay_->said(), "west: connected"), 2);
}

}  // namespace
}  // namespace trestle::network_emulator
