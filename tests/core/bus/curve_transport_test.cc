#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/bus/zmq_transport.h"
#include "tests/core/bus/hostile_peers.h"
#include "tests/support/sample_messages.h"

namespace trestle::bus {
namespace {

using namespace std::chrono_literals;
using testing::KeyPair;
using testing::RawConnection;
using testing::RawPeer;

constexpr int kPatience = 500;  // waits of 10 ms

/// Two ends with keys that know one another, and what others try meanwhile.
class CurveTransport : public ::testing::Test {
 protected:
  BusSecurity of(const KeyPair& own, std::vector<AllowedPeer> peers = {}) const {
    BusSecurity security{.secret_key = own.secret, .peers = std::move(peers)};
    security.handshake = handshake_;
    security.start_up = start_up_;
    return security;
  }

  /// West listens for the integrator `lab`, and for bob, who may look.
  void serve() {
    site_ = ZmqTransport::for_site(
        {.name = "west",
         .listen = "tcp://127.0.0.1:0",
         .integrator = "",
         .security = of(west_, {{"lab", lab_.open_half, PeerRole::kParticipant},
                                {"bob", bob_.open_half, PeerRole::kObserver}})});
    center_ = call(lab_, site_->bound_endpoint());
    expect_at_work();
  }
  /// The integrator listens for west and east.
  void conduct() {
    center_ = ZmqTransport::for_integrator(
        {.listen = "tcp://127.0.0.1:0",
         .sites = {{"west", ""}, {"east", ""}},
         .security = of(lab_, {{"west", west_.open_half}, {"east", east_.open_half}})});
    site_ = call_in("west", west_);
    expect_at_work();
  }
  std::unique_ptr<ZmqTransport> call(const KeyPair& own, const std::string& address) const {
    return ZmqTransport::for_integrator(
        {.listen = "", .sites = {{"west", address, west_.open_half}}, .security = of(own)});
  }
  std::unique_ptr<ZmqTransport> call_in(const std::string& name, const KeyPair& own) const {
    return ZmqTransport::for_site({.name = name,
                                   .listen = "",
                                   .integrator = center_->bound_endpoint(),
                                   .integrator_key = lab_.open_half,
                                   .security = of(own)});
  }

  /// Sends until it arrives.
  static bool reaches(ZmqTransport& from, int peer, ZmqTransport& to, ReceivedMessage& in) {
    for (int i = 0; i < kPatience; ++i) {
      from.send(peer, Start{});
      to.wait(10ms);
      if (to.receive(in)) return true;
    }
    return false;
  }
  static bool next(ZmqTransport& transport, ReceivedMessage& in) {
    for (int i = 0; i < kPatience; ++i) {
      if (transport.receive(in)) return true;
      transport.wait(10ms);
    }
    return false;
  }
  static bool is_start(const ReceivedMessage& in) {
    return in.kind == ReceivedMessage::Kind::kSession &&
           std::holds_alternative<Start>(in.session);
  }
  /// The good pair exchanges steps; nothing else has reached either.
  void expect_at_work() {
    ReceivedMessage in;
    if (center_->bound_endpoint().empty()) {  // who calls is who is answered
      ASSERT_TRUE(reaches(*center_, 0, *site_, in)) << "the keys should have let it in";
    }
    ASSERT_TRUE(reaches(*site_, 0, *center_, in)) << "the keys should have let it in";
    ASSERT_TRUE(reaches(*center_, 0, *site_, in));
    while (site_->receive(in) || center_->receive(in)) continue;
    for (int k = 0; k < 20; ++k) {
      StepCommand command = testing::sample_command(2, false);
      command.step = k;
      ASSERT_TRUE(center_->send(0, command));
      do ASSERT_TRUE(next(*site_, in));
      while (is_start(in));
      ASSERT_EQ(in.kind, ReceivedMessage::Kind::kStepCommand);
      ASSERT_EQ(in.command.step, k);
      ASSERT_TRUE(site_->send(0, testing::sample_response(2, 2)));
      do ASSERT_TRUE(next(*center_, in));
      while (in.kind == ReceivedMessage::Kind::kSession);
      ASSERT_EQ(in.kind, ReceivedMessage::Kind::kStepResponse);
      ASSERT_EQ(in.peer, 0);
    }
  }
  /// Until it has said a sentence with this in it; what the node hears meanwhile is kept.
  ::testing::AssertionResult says(ZmqTransport& transport, const std::string& text,
                                  std::optional<bool> warning = true) {
    for (int i = 0; i < kPatience; ++i) {
      for (const ConnectionEvent& notice : transport.take_notices()) {
        said_ += notice.text + "\n";
        if (notice.warning == warning.value_or(notice.warning) &&
            notice.text.find(text) != std::string::npos)
          return ::testing::AssertionSuccess();
      }
      transport.wait(10ms);
      ReceivedMessage in;
      while (transport.receive(in))
        if (!is_start(in)) reached_.push_back(in);  // the good pair's calls, at most
    }
    return ::testing::AssertionFailure() << "said:\n" << said_;
  }

  KeyPair lab_ = testing::new_key_pair();
  KeyPair west_ = testing::new_key_pair();
  KeyPair east_ = testing::new_key_pair();
  KeyPair bob_ = testing::new_key_pair();
  KeyPair eve_ = testing::new_key_pair();  // is listed nowhere
  Duration handshake_ = 5s;
  Duration start_up_ = 100ms;
  std::unique_ptr<ZmqTransport> center_;
  std::unique_ptr<ZmqTransport> site_;
  std::vector<ReceivedMessage> reached_;
  std::string said_;
  ReceivedMessage in_;
};

const std::string kStop("\x6a\x00", 2);

TEST_F(CurveTransport, SaysWhoCameInAndAsWhat) {
  serve();
  EXPECT_TRUE(says(*site_, "lab (conductor) connected from 127.0.0.1", false));
  EXPECT_EQ(site_->refused(), 0U);
  EXPECT_EQ(center_->refused(), 0U);
}

TEST_F(CurveTransport, RefusesWhoBringsNoKey) {
  serve();
  const RawPeer plain(site_->bound_endpoint(), "lab", {}, "");
  plain.send(kStop);
  // It may leave before this end has read that it has no key.
  EXPECT_TRUE(says(*site_, "without a key", std::nullopt));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, RefusesWhoTakesTheNodeForAnother) {
  serve();
  const RawPeer wrong(site_->bound_endpoint(), "lab", lab_, eve_.open_half);
  wrong.send(kStop);
  EXPECT_TRUE(says(*site_, "it has not this node's public key"));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, TellsTheCallerThatWhoAnswersIsAnother) {
  serve();
  const auto misled = ZmqTransport::for_integrator(
      {.listen = "",
       .sites = {{"west", site_->bound_endpoint(), eve_.open_half}},
       .security = of(lab_)});
  EXPECT_TRUE(says(*misled, "no handshake with site west (" + site_->bound_endpoint() +
                                ") comes to its end"));
  EXPECT_NE(said_.find("it has another key than the public key given here"),
            std::string::npos);
  EXPECT_FALSE(misled->send(0, Start{}));
  expect_at_work();
}

// As behind a relay whose site is not there yet: each call is taken, and ends at once.
TEST_F(CurveTransport, FindsItNormalThatHandshakesEndEarlyAtAStart) {
  start_up_ = 1h;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 8), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const auto early =
      call(lab_, "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port)));
  for (int n = 0; n < 3; ++n) close(accept(listener, nullptr, nullptr));
  close(listener);
  EXPECT_TRUE(says(*early, "ended before its handshake was over: normal while", false));
  for (int i = 0; i < 20; ++i) early->wait(10ms);
  for (const ConnectionEvent& notice : early->take_notices())
    EXPECT_FALSE(notice.warning) << notice.text;
  EXPECT_EQ(said_.find("key"), std::string::npos) << said_;
}

// As an integrator that is ended while it connects.
TEST_F(CurveTransport, FindsItNormalThatACallerLeavesInItsHandshake) {
  serve();
  { const RawConnection leaves(site_->bound_endpoint()); }
  EXPECT_TRUE(
      says(*site_, "ended before its handshake was over: normal at a start", false));
  EXPECT_EQ(said_.find("refused"), std::string::npos) << said_;
  expect_at_work();
}

TEST_F(CurveTransport, RefusesAKeyThatIsNotListedAndShowsItToBothEnds) {
  serve();
  const auto eve = call(eve_, site_->bound_endpoint());
  EXPECT_TRUE(says(*site_, "refused a peer from 127.0.0.1: its key " + eve_.open_half +
                               " is not listed in security.peers"));
  EXPECT_TRUE(says(*eve, "refuses this node: its key is not listed there"));
  EXPECT_FALSE(eve->send(0, Start{}));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, RefusesAListedSiteThatSpeaksAsAnother) {
  conduct();
  const auto liar = call_in("west", east_);
  for (int i = 0; i < kPatience && !liar->send(0, Stopped{}); ++i) liar->wait(10ms);
  EXPECT_TRUE(says(*center_, "the key of site east speaks as site west; refused"));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
  EXPECT_FALSE(liar->receive(in_)) << "what is meant for west must not come here";
}

TEST_F(CurveTransport, RefusesACalledSiteThatSaysItIsAnother) {
  serve();
  Hello hello;
  hello.site.name = "east";
  ASSERT_TRUE(site_->send(0, hello));
  EXPECT_TRUE(says(*center_, "the key of site west says that it is site east; refused"));
  hello.site.name = "west";
  ASSERT_TRUE(site_->send(0, hello));
  ASSERT_TRUE(next(*center_, in_));
  EXPECT_TRUE(reached_.empty());
}

TEST_F(CurveTransport, LetsAKnownSiteBackToItsPlace) {
  conduct();
  site_.reset();
  site_ = call_in("west", west_);
  expect_at_work();
}

TEST_F(CurveTransport, DropsTheCommandsOfAnObserver) {
  serve();
  const auto bob = call(bob_, site_->bound_endpoint());
  for (int i = 0; i < kPatience && !bob->send(0, Stop{}); ++i) bob->wait(10ms);
  EXPECT_TRUE(says(*site_, "observer bob sent Stop; an observer cannot command"));
  site_->lock_peer(true);
  ASSERT_TRUE(bob->send(0, testing::sample_command(2, false)));
  EXPECT_TRUE(says(*site_, "observer bob sent a step command; an observer cannot command"));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, AnswersAnObserverAndKeepsItsConductor) {
  serve();
  const auto bob = call(bob_, site_->bound_endpoint());
  for (int i = 0; i < kPatience && !bob->send(0, StatusRequest{"standing"}); ++i)
    bob->wait(10ms);
  ASSERT_TRUE(next(*site_, in_));
  ASSERT_EQ(std::get<StatusRequest>(in_.session).what, "standing");
  ASSERT_TRUE(site_->send(0, StatusReply{"{}"}));
  ASSERT_TRUE(site_->send(0, Stopped{}));  // not an answer: for the conductor
  ASSERT_TRUE(next(*bob, in_));
  EXPECT_EQ(std::get<StatusReply>(in_.session).json, "{}");
  ASSERT_TRUE(next(*center_, in_));
  EXPECT_TRUE(std::holds_alternative<Stopped>(in_.session));
  EXPECT_FALSE(bob->receive(in_));
  expect_at_work();
}

TEST_F(CurveTransport, TellsNobodyButWhoIsListedWhomItIsBusyWith) {
  serve();
  site_->lock_peer(true);
  const RawPeer stranger(site_->bound_endpoint(), "x", eve_, west_.open_half);
  stranger.send(kStop);
  EXPECT_TRUE(says(*site_, "is not listed in security.peers"));
  EXPECT_FALSE(site_->somebody_waits());
  const auto bob = call(bob_, site_->bound_endpoint());
  for (int i = 0; i < kPatience && !site_->somebody_waits(); ++i) {
    bob->send(0, StatusRequest{"standing"});
    site_->wait(10ms);
    EXPECT_FALSE(site_->receive(in_));
  }
  site_->answer_those_who_wait(Busy{.test = "frame"});
  ASSERT_TRUE(next(*bob, in_));
  EXPECT_EQ(std::get<Busy>(in_.session).test, "frame");
  EXPECT_FALSE(center_->receive(in_)) << "not for who conducts the test";
  expect_at_work();
}

TEST_F(CurveTransport, DropsWhatIsTooLongAndNamesItsSender) {
  serve();
  site_->lock_peer(true);
  const RawPeer long_winded(site_->bound_endpoint(), "x", lab_, west_.open_half);
  long_winded.send(std::string(kMaxMessageBytes + 1, 'x'));
  EXPECT_TRUE(says(*site_, "lab sent 1048577 bytes; at most 1048576 are one message"));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
  // Longer still, and ZeroMQ does not even take it in.
  while (!site_->take_notices().empty()) continue;
  long_winded.send(std::string(4 * kMaxMessageBytes, 'x'));
  EXPECT_TRUE(says(*site_, "is gone: it left, or sent more than 2 MiB at once", false));
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, SuspectsNobodyWhoLeavesAfterTheEndOfHisTest) {
  serve();
  auto visitor =
      std::make_unique<RawPeer>(site_->bound_endpoint(), "x", lab_, west_.open_half);
  visitor->send("no message");
  ASSERT_TRUE(next(*site_, in_));
  site_->lock_peer(true);
  site_->lock_peer(false);
  visitor.reset();
  EXPECT_TRUE(says(*site_, "left after the end of its test", false));
}

TEST_F(CurveTransport, CallsNoEndOfATestTheEndOfAPeerThatConnectedAfterIt) {
  serve();
  site_->lock_peer(true);
  site_->lock_peer(false);
  auto resumes =
      std::make_unique<RawPeer>(site_->bound_endpoint(), "x", lab_, west_.open_half);
  resumes->send("no message");
  ASSERT_TRUE(next(*site_, in_));
  resumes.reset();  // killed
  EXPECT_TRUE(says(*site_, "is gone: it left", false));
}

TEST_F(CurveTransport, CutsOffWhoSpeaksSomethingElse) {
  serve();
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(300, '\xff'),
        std::string(300, '\0'), std::string("\xff\0\0\0\0\0\0\0\1\x7f\3\0CURVE", 17)}) {
    const std::uint64_t before = site_->refused();
    const RawConnection raw(site_->bound_endpoint());
    // ZeroMQ cuts garbage off by itself, and a connection that is closed has no address:
    // let it be heard of first.
    for (int i = 0; i < 5; ++i) site_->wait(10ms);
    raw.send(bytes + std::string(64, '\x01'));
    for (int i = 0; i < kPatience && site_->refused() == before; ++i) site_->wait(10ms);
    EXPECT_EQ(site_->refused(), before + 1);
    while (site_->receive(in_)) EXPECT_TRUE(is_start(in_)) << "not of the good pair";
    expect_at_work();
  }
  EXPECT_TRUE(says(*site_, "refused a peer from 127.0.0.1"));
}

TEST_F(CurveTransport, CutsOffWhoNeverFinishesItsHandshake) {
  handshake_ = 100ms;
  serve();
  const RawConnection silent(site_->bound_endpoint());
  EXPECT_TRUE(says(*site_, "did not finish its handshake within 100 ms"));
  while (silent.hear() > 0) continue;  // the greeting, then the end
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, HearsNothingOfAConversationThatIsPlayedAgain) {
  serve();
  testing::Eavesdropper relay(site_->bound_endpoint());
  auto recorded = call(lab_, relay.address());
  std::swap(recorded, center_);
  expect_at_work();  // through the relay: twenty commands at least
  const std::vector<std::string> pieces = relay.heard();
  ASSERT_GT(pieces.size(), 20U);
  center_ = std::move(recorded);
  expect_at_work();
  reached_.clear();
  {
    const RawConnection again(site_->bound_endpoint());
    for (const std::string& piece : pieces) {
      again.send(piece);
      if (&piece - pieces.data() < 3) again.hear();
    }
    EXPECT_TRUE(says(*site_, "sends again what was said before"));
  }
  {
    const RawConnection at_once(site_->bound_endpoint());
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    at_once.send(all);
    while (at_once.hear() > 0) continue;  // until it is cut off
  }
  EXPECT_TRUE(reached_.empty());
  expect_at_work();
}

TEST_F(CurveTransport, RefusesPlainSocketsBeyondThisMachine) {
  const auto complaint = [](const IntegratorEndpoint& endpoint) -> std::string {
    try {
      ZmqTransport::for_integrator(endpoint);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string address :
       {"tcp://*:0", "tcp://0.0.0.0:0", "tcp://eth0:0", "tcp://127.0.0.1.example:0",
        "tcp://127.0.0.1:0;lab.example:7000"}) {
    const std::string why = complaint({.listen = address, .sites = {}});
    EXPECT_NE(why.find(address + " is reached from beyond this machine"), std::string::npos)
        << address << why;
    EXPECT_NE(why.find("insecure: true"), std::string::npos);
  }
  EXPECT_NE(complaint({.listen = "", .sites = {{"west", "tcp://lab.example:7001"}}}), "");
  EXPECT_EQ(complaint({.listen = "tcp://127.0.0.1:0", .sites = {}}), "");
  EXPECT_EQ(complaint({.listen = "", .sites = {{"west", "tcp://localhost:1"}}}), "");
  const auto open = ZmqTransport::for_integrator(
      {.listen = "tcp://*:0", .sites = {}, .security = {.insecure = true}});
  const std::vector<ConnectionEvent> notices = open->take_notices();
  ASSERT_EQ(notices.size(), 1U);
  EXPECT_NE(notices[0].text.find("insecure"), std::string::npos);
}

TEST_F(CurveTransport, RefusesKeysThatAreNoneOrNotEnough) {
  const auto site = [&](const BusSecurity& security) -> std::string {
    try {
      ZmqTransport::for_site({.name = "west",
                              .listen = "tcp://127.0.0.1:0",
                              .integrator = "",
                              .security = security});
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(site(of(west_)).find("no peer with the role conductor"), std::string::npos);
  EXPECT_NE(site(of(west_, {{"bob", bob_.open_half, PeerRole::kObserver}}))
                .find("no peer with the role conductor"),
            std::string::npos);
  EXPECT_NE(site(of(west_, {{"lab", "short"}})).find("public key of peer lab is no key"),
            std::string::npos);
  EXPECT_NE(site(of(west_, {{"a", lab_.open_half}, {"b", lab_.open_half}}))
                .find("peers a and b have the same key"),
            std::string::npos);
  EXPECT_THROW(
      ZmqTransport::for_integrator(
          {.listen = "tcp://127.0.0.1:0", .sites = {{"west", ""}}, .security = of(lab_)}),
      std::runtime_error);
  EXPECT_THROW(
      ZmqTransport::for_integrator(
          {.listen = "", .sites = {{"west", "tcp://127.0.0.1:1"}}, .security = of(lab_)}),
      std::runtime_error);
}

}  // namespace
}  // namespace trestle::bus
