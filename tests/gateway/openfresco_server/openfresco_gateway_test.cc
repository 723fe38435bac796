#include "gateway/openfresco_server/openfresco_gateway.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cmath>
#include <random>
#include <thread>
#include <utility>

#include "gateway/openfresco_server/interruptible_transport.h"
#include "gateway/openfresco_server/tcp_port.h"
#include "tests/gateway/openfresco_server/gateway_host.h"
#include "tests/gateway/openfresco_server/generic_client.h"

namespace trestle::openfresco_server {
namespace {

using Way = GenericClient::Way;
using State = ExternalTargetSource::State;
using namespace std::chrono_literals;

/// A trial of one DOF at a time.
std::vector<double> state(double code, double displacement, double time = 0.0) {
  return {code, displacement, 0.1, 0.2, time};
}

struct Layout {
  const char* name;
  Bytes (*sizes)(std::int32_t, std::int32_t);
  std::size_t force_at;
};
constexpr Layout kGeneric{"genericClient", generic_sizes, 0};
constexpr Layout kSite{"expElement", site_sizes, 3};

/// The law of the specimen, over a test as NewmarkExplicit makes it: 3 14 10 14 3 5.
void expect_the_law(const Layout& layout, Way way) {
  GatewayHost host(one_spring(), way != Way::kTcp);
  GenericClient client(host.address(), way);
  client.say_sizes(layout.sizes(1, 256), 256);
  for (int k = 0; k < 1000; ++k) {
    const double d = 0.3 * std::sin(0.01 * k);
    client.say(state(3, d, 0.01 * k));
    EXPECT_EQ(client.ask(state(14, d))[0], 0.0);
    // One multiplication on either side.
    ASSERT_NEAR(client.ask(state(10, d))[layout.force_at], 2.8 * d, 1e-12)
        << layout.name << " step " << k;
    EXPECT_EQ(client.ask(state(14, d))[0], 0.0);
    client.say(state(3, d, 0.01 * k));
    client.say(state(5, d, 0.01 * k));
  }
  client.say({99});
  EXPECT_EQ(host.ended(1), State::kCompleted);
  EXPECT_EQ(host.moves(), 1000) << "a second trial at the same place moves nothing";
}

TEST(OpenFrescoGateway, GivesElementForcesOfTheLawToAGenericClientOverTcp) {
  expect_the_law(kGeneric, Way::kTcp);
}
TEST(OpenFrescoGateway, GivesElementForcesOfTheLawToAnExpElementOverTcp) {
  expect_the_law(kSite, Way::kTcp);
}
TEST(OpenFrescoGateway, GivesElementForcesOfTheLawToAGenericClientOverUdp) {
  expect_the_law(kGeneric, Way::kUdpGreeted);
}
TEST(OpenFrescoGateway, GivesElementForcesOfTheLawToAnExpElementOverUdpUngreeted) {
  expect_the_law(kSite, Way::kUdp);
}

TEST(OpenFrescoGateway, AnswersEveryQuestionWithAllSlotsFilled) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(site_sizes(1, 16), 16);
  client.say(state(3, 0.5, 7.0));
  for (const int code : {6, 7, 8, 9, 10, 11}) {
    const std::vector<double> reply = client.ask(state(code, -9.0, -9.0));
    EXPECT_DOUBLE_EQ(reply[0], 0.5);
    EXPECT_DOUBLE_EQ(reply[1], 0.1);
    EXPECT_DOUBLE_EQ(reply[2], 0.2);
    EXPECT_DOUBLE_EQ(reply[3], 1.4);
    EXPECT_DOUBLE_EQ(reply[4], 7.0) << "only a trial sets the state";
  }
}

TEST(OpenFrescoGateway, SendsMatricesColumnByColumn) {
  GatewaySettings settings = one_spring(2);
  settings.initial_stiffness = {1, 2, 3, 4};
  settings.mass = {5, 6, 7, 8};
  GatewayHost host(settings, false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(2, 8), 8);
  EXPECT_EQ(client.ask({12}), (std::vector<double>{1, 2, 3, 4, 0, 0, 0, 0}));
  EXPECT_EQ(client.ask({15}), (std::vector<double>{5, 6, 7, 8, 0, 0, 0, 0}));
}

TEST(OpenFrescoGateway, ServesAShadowSiteFromOpenToEnd) {
  for (const Way way : {Way::kTcp, Way::kUdpGreeted}) {
    GatewayHost host(one_spring(), way != Way::kTcp);
    GenericClient client(host.address(), way);
    if (way == Way::kTcp) {
      client.send(integers({1}));
      EXPECT_EQ(client.receive(4), integers({1}));
    }
    const std::vector<double> opened = client.ask({1, 3, 2.8});
    EXPECT_EQ(opened[0], 0.0);
    EXPECT_EQ(opened[2], 2.8) << "the client's own version";
    client.say({2, 12});
    client.send(integers({1, 1, 1, 0, 1}));
    client.send(integers({1, 0, 0, 1, 1}));
    client.say_sizes({}, 12);
    client.say(state(3, 0.25, 1.0));
    const std::vector<double> measured = client.ask({6});
    EXPECT_DOUBLE_EQ(measured[0], 0.25);
    EXPECT_DOUBLE_EQ(measured[1], 0.7);
    client.say(state(5, 0.25, 2.0));
    EXPECT_EQ(client.ask({6})[2], 2.0) << "a commit carries the time";
    EXPECT_EQ(client.ask({99, 3})[0], 4.0);
    EXPECT_EQ(host.ended(1), State::kCompleted);
  }
}

TEST(OpenFrescoGateway, LetsGoOfAClientThatIsKilledAndServesTheNext) {
  GatewayHost host(one_spring(), false);
  for (int test = 1; test <= 5; ++test) {
    GenericClient client(host.address(), Way::kTcp);
    client.say_sizes(generic_sizes(1, 256), 256);
    client.say(state(3, 0.01 * test));
    EXPECT_DOUBLE_EQ(client.ask({10})[0], 2.8 * 0.01 * test);
    client.vanish();
    EXPECT_EQ(host.ended(test), State::kDisconnected);
    EXPECT_NE(host.why().find("went away"), std::string::npos);
  }
}

TEST(OpenFrescoGateway, LetsGoOfAClientThatClosesBeforeItsSizes) {
  GatewayHost host(one_spring(), false);
  { GenericClient(host.address(), Way::kTcp).send(integers({1, 1, 1})); }
  { GenericClient only_called(host.address(), Way::kTcp); }
  EXPECT_TRUE(served_anew(host.address()));
}

TEST(OpenFrescoGateway, ClosesOnWrongSizesAndServesTheNext) {
  GatewayHost host(one_spring(), false);
  {
    GenericClient client(host.address(), Way::kTcp);
    client.say_sizes(generic_sizes(3, 256), 256);
    EXPECT_TRUE(client.receive(1).empty());
  }
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
}

TEST(OpenFrescoGateway, RefusesASecondClientAtOnce) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
  EXPECT_TRUE(refused(host.address()));
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
}

TEST(OpenFrescoGateway, KeepsNobodyWaitingForCallersWhoSayNothing) {
  GatewayHost host(one_spring(), false);
  GenericClient silent(host.address(), Way::kTcp);
  GenericClient more_silent(host.address(), Way::kTcp);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  EXPECT_TRUE(silent.receive(1).empty()) << "it is let go";
}

TEST(OpenFrescoGateway, KeepsNobodyWaitingForSizesThatComeByteByByte) {
  GatewaySettings settings = one_spring();
  settings.handshake = 400ms;
  GatewayHost host(settings, false);
  GenericClient slow(host.address(), Way::kTcp);
  const std::jthread trickle([&slow](const std::stop_token& stop) {
    for (int bytes = 0; bytes < 43 && !stop.stop_requested(); ++bytes) {
      if (!slow.offer({std::byte{1}})) return;
      std::this_thread::sleep_for(300ms);  // each within the handshake's time of the last
    }
  });
  EXPECT_TRUE(host.told("did not say its sizes in time"));
  EXPECT_TRUE(served_anew(host.address()));
}

TEST(OpenFrescoGateway, TellsWhoCallsTogetherWithTheOneThatIsServed) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  GenericClient second(host.address(), Way::kTcp);  // of the same model, in the same moment
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
  EXPECT_TRUE(second.receive(1).empty()) << "its connection ends, so that it does not hang";
  EXPECT_TRUE(host.told("one port serves one client"));
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
}

TEST(OpenFrescoGateway, SaysThatASecondClientCallsOverUdp) {
  GatewayHost host(one_spring(), true);
  GenericClient client(host.address(), Way::kUdpGreeted);
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
  GenericClient second(host.address(), Way::kUdp);
  second.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  EXPECT_TRUE(host.told("one port serves one client"));
}

/// Over UDP the protocol cannot report it: the gateway informs its operator which client
/// hangs, and not without an end.
TEST(OpenFrescoGateway, NamesNoMoreCallersOverUdpThanAPersonReads) {
  GatewayHost host(one_spring(), true);
  GenericClient client(host.address(), Way::kUdpGreeted);
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
  for (int n = 0; n < 40; ++n) {
    GenericClient other(host.address(), Way::kUdp);
    for (int again = 0; again < 3; ++again) other.say_sizes(generic_sizes(1, 256), 256);
    client.say(state(3, 0.001 * n));
    EXPECT_NEAR(client.ask({10})[0], 0.0028 * n, 1e-12) << "the one that is served goes on";
  }
  EXPECT_TRUE(host.told("the one that was turned away may hang, so end it"));
  EXPECT_LE(host.lines_told(), 17);
}

TEST(OpenFrescoGateway, IsNotBlockedByAnEmptyDatagramNorByAGreetingAlone) {
  GatewaySettings settings = one_spring();
  settings.handshake = 300ms;
  GatewayHost host(settings, true);
  GenericClient nobody(host.address(), Way::kUdp);
  nobody.offer({});
  GenericClient only_greets(host.address(), Way::kUdpGreeted);
  GenericClient client(host.address(), Way::kUdpGreeted);  // heard when that one is let go
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  EXPECT_TRUE(host.told("sent an empty datagram"));
}

TEST(InterruptibleTransport, SleepsOverNothingThatWasReadBefore) {
  const std::unique_ptr<ClientPort> port = tcp_port({.host = "127.0.0.1", .port = 0});
  bool unread = true;
  InterruptibleTransport bus(nullptr, port->descriptor(),
                             [&] { return std::exchange(unread, false); });
  bus.wait(1h);
  EXPECT_EQ(bus.expired(), 0);
  bus.wait(1ms);
  EXPECT_EQ(bus.expired(), 1) << "once for all of it";
}

TEST(InterruptibleTransport, WaitsAwakeBeforeItSleepsAndNoLongerThanItWasTold) {
  const std::unique_ptr<ClientPort> port = tcp_port({.host = "127.0.0.1", .port = 0});
  int looks = 0;
  int quiet = 3;
  InterruptibleTransport bus(nullptr, port->descriptor(), {}, {.longest = 1h, .came = [&] {
                                                                 return ++looks > quiet;
                                                               }});
  bus.wait(1h);
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one CPU: it sleeps";
  EXPECT_EQ(looks, 4) << "and was awake when it came";
  EXPECT_EQ(bus.awake(), 1);
  EXPECT_EQ(bus.expired(), 0);

  InterruptibleTransport brief(nullptr, port->descriptor(), {},
                               {.longest = 1ns, .came = [&] {
                                  return ++looks > 1'000'000;
                                }});
  looks = 0;
  brief.wait(1ms);
  EXPECT_EQ(looks, 1) << "then it slept";
  EXPECT_EQ(brief.awake(), 0);
  EXPECT_EQ(brief.expired(), 1);
  brief.wait(1ms);
  looks = 0;
  brief.wait(1ms);
  EXPECT_EQ(looks, 0) << "twice in vain: it does not try again at once";
}

/// On the one CPU of this process the client could not speak meanwhile, whatever the host
/// has.
TEST(InterruptibleTransport, SleepsAtOnceInAProcessOfOneCpu) {
  cpu_set_t all, one;
  CPU_ZERO(&one);
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(static_cast<std::size_t>(first), &all)) ++first;
  CPU_SET(static_cast<std::size_t>(first), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::unique_ptr<ClientPort> port = tcp_port({.host = "127.0.0.1", .port = 0});
  int looks = 0;
  InterruptibleTransport bus(nullptr, port->descriptor(), {}, {.longest = 1h, .came = [&] {
                                                                 return ++looks > 0;
                                                               }});
  bus.wait(1ms);
  EXPECT_EQ(looks, 0);
  EXPECT_EQ(bus.expired(), 1);
  sched_setaffinity(0, sizeof all, &all);
}

TEST(OpenFrescoGateway, HearsOneClientAtATimeOverUdp) {
  GatewayHost host(one_spring(), true);
  GenericClient client(host.address(), Way::kUdpGreeted);
  client.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(client.ask({12})[0], 2.8);
  GenericClient other(host.address(), Way::kUdp);
  other.say_sizes(generic_sizes(1, 256), 256);
  other.say(state(3, 5.0));
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28) << "and nobody else moves it";
}

TEST(OpenFrescoGateway, ServesTheNextAfterWrongSizesAndGarbageOverUdp) {
  GatewayHost host(one_spring(), true);
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    GenericClient wrong(host.address(), Way::kUdp);
    wrong.say_sizes(generic_sizes(3, 256), 256);
    GenericClient stranger(host.address(), Way::kUdp);
    Bytes bytes(45 + random() % 2000);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFFU);
    stranger.offer(bytes);
  }
  GenericClient client(host.address(), Way::kUdp);
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
}

TEST(OpenFrescoGateway, EndsTheTestOfASilentClientOverUdp) {
  GatewaySettings settings = one_spring();
  settings.patience = 100ms;
  GatewayHost host(settings, true);
  {
    GenericClient client(host.address(), Way::kUdpGreeted);
    client.say_sizes(generic_sizes(1, 256), 256);
    client.say(state(3, 0.1));
    EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  }
  EXPECT_EQ(host.ended(1), State::kDisconnected);
  GenericClient next(host.address(), Way::kUdpGreeted);
  next.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(next.ask({12})[0], 2.8);
}

TEST(OpenFrescoGateway, KeepsAnsweringTheLastValuesAfterTheTestIsOver) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  host.trip();
  for (const double d : {0.2, 0.3, 0.4}) {
    client.say(state(3, d));
    EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
    client.say(state(5, d));
  }
  client.say({99});
  client.vanish();
  GenericClient next(host.address(), Way::kTcp);
  next.say_sizes(generic_sizes(1, 256), 256);
  EXPECT_EQ(next.ask({12})[0], 2.8);
}

TEST(OpenFrescoGateway, MovesNothingForANumberThatIsNotFinite) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, std::nan("")));
  EXPECT_EQ(host.ended(1), State::kInvalidTarget);
  EXPECT_EQ(host.moves(), 0);
  EXPECT_EQ(client.ask({10})[0], 0.0) << "the client is answered all the same";
  EXPECT_NE(host.why().find("not finite"), std::string::npos);
}

TEST(OpenFrescoGateway, LosesNoWordOfAClientThatSaysTheEndAndClosesAtOnce) {
  GatewayHost host(one_spring(), false);
  for (int test = 1; test <= 50; ++test) {
    GenericClient client(host.address(), Way::kTcp);
    client.say_sizes(generic_sizes(1, 16), 16);
    client.send(reals(state(3, 0.1 * test), 16) + reals({5}, 16) + reals({99}, 16));
    client.vanish();
    EXPECT_EQ(host.ended(test), State::kCompleted) << host.why();
  }
}

TEST(OpenFrescoGateway, BearsGarbageFromOneClientAfterTheOther) {
  GatewayHost host(one_spring(), false);
  std::mt19937 random(9);
  for (int round = 0; round < 100; ++round) {
    GenericClient client(host.address(), Way::kTcp);
    Bytes bytes(random() % 5000);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xFFU);
    if (round % 2 == 0) bytes = generic_sizes(1, 16) + reals({3, 0.1}, 16) + bytes;
    client.offer(bytes);
  }
  EXPECT_TRUE(served_anew(host.address()));
}

TEST(OpenFrescoGateway, ServesAClientWhoseBytesComeLateAndInPieces) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  std::mt19937 random(3);
  const auto trickle = [&](const Bytes& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t part = std::min<std::size_t>(bytes.size() - at, 1 + random() % 90);
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      client.send(Bytes(from, from + static_cast<std::ptrdiff_t>(part)));
      at += part;
      std::this_thread::yield();
    }
  };
  // Five bytes at once: four would be a laboratory client's first word.
  const Bytes sizes = generic_sizes(1, 64);
  client.send(Bytes(sizes.begin(), sizes.begin() + 5));
  trickle(Bytes(sizes.begin() + 5, sizes.end()));
  client.say_sizes({}, 64);
  for (int k = 1; k <= 50; ++k) {
    const double d = 0.01 * k;
    trickle(reals(state(3, d), 64) + reals({10}, 64));
    const Bytes answer = client.receive(64 * 8);
    ASSERT_EQ(answer.size(), 64U * 8U);
    ASSERT_NEAR(reals_of(answer)[0], 2.8 * d, 1e-12);
    trickle(reals(state(5, d), 64));
  }
}

TEST(OpenFrescoGateway, AnswersAgainWhereAClientAsksAgainForALostAnswer) {
  GatewayHost host(one_spring(), true);
  GenericClient client(host.address(), Way::kUdpGreeted);
  client.say_sizes(generic_sizes(1, 256), 256);
  client.say(state(3, 0.1));
  client.say({10});  // its answer is lost: the client does not read it
  client.receive(2048);
  client.say(state(3, 0.1));  // and all is said again
  EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
  EXPECT_EQ(host.moves(), 1);
}

TEST(OpenFrescoGateway, SendsRepliesThatDoNotFitIntoTheKernelAsTheClientReads) {
  GatewayHost host(one_spring(), false);
  GenericClient client(host.address(), Way::kTcp);
  client.say_sizes(generic_sizes(1, 100000), 100000);
  client.say(state(3, 0.1));
  for (int n = 0; n < 20; ++n) EXPECT_DOUBLE_EQ(client.ask({10})[0], 0.28);
}

}  // namespace
}  // namespace trestle::openfresco_server
