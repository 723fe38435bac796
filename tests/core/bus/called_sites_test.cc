#include "core/bus/called_sites.h"

#include <gtest/gtest.h>
#include <zmq.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <span>
#include <string>

#include "core/bus/zmq_connections.h"
#include "core/bus/zmq_transport.h"

namespace trestle::bus {
namespace {

using namespace std::chrono_literals;

/// A site's end of the bus that says nothing and notes what it hears.
class SilentSite {
 public:
  explicit SilentSite(const std::string& address)
      : context_(zmq_ctx_new()), socket_(zmq_socket(context_, ZMQ_ROUTER)) {
    const int none = 0;
    zmq_setsockopt(socket_, ZMQ_LINGER, &none, sizeof none);
    zmq_setsockopt(socket_, ZMQ_ROUTING_ID, "east", 4);
    zmq_bind(socket_, address.c_str());
  }
  ~SilentSite() {
    zmq_close(socket_);
    zmq_ctx_term(context_);
  }
  SilentSite(const SilentSite&) = delete;
  SilentSite& operator=(const SilentSite&) = delete;

  /// @returns what the next message says, without its sender; "(nothing)" if none comes
  std::string next(std::chrono::milliseconds within) {
    zmq_pollitem_t item{socket_, 0, ZMQ_POLLIN, 0};
    if (zmq_poll(&item, 1, within.count()) <= 0) return "(nothing)";
    std::array<char, 64> text{};
    const int caller = zmq_recv(socket_, text.data(), text.size(), 0);
    caller_.assign(text.data(), static_cast<std::size_t>(caller));
    const int size = zmq_recv(socket_, text.data(), text.size(), 0);
    return {text.data(), static_cast<std::size_t>(size)};
  }
  /// Says something to whom it heard last.
  void speak() const {
    zmq_send(socket_, caller_.data(), caller_.size(), ZMQ_DONTWAIT | ZMQ_SNDMORE);
    zmq_send(socket_, "word", 4, ZMQ_DONTWAIT);
  }

 private:
  void* context_;
  void* socket_;
  std::string caller_;
};

class CalledSitesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "trestle-called-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    address_ = "ipc://" + folder_ + "/east";
    line_ = &connections_.add(ZMQ_ROUTER, -1);
    line_->socket.option(ZMQ_ROUTING_ID, "integrator");
    line_->socket.option(ZMQ_PROBE_ROUTER, 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void call() {
    line_->socket.call(address_, "");
    called_.add(0, *line_, "east", address_);
  }
  /// What the site hears next; the integrator's socket is looked at meanwhile, for ZeroMQ
  /// does its work in such calls.
  std::string next(SilentSite& site, int looks) {
    std::string heard = "(nothing)";
    for (int i = 0; i < looks && heard == "(nothing)"; ++i) {
      connections_.take(message_);
      heard = site.next(10ms);
    }
    return heard;
  }
  /// What the site hears up to a word of the integrator: how many empty messages.
  int empty_ones_before_a_word(SilentSite& site) {
    bool sent = false;
    int empty = 0;
    for (int i = 0; i < 1000; ++i) {
      sent = sent || connections_.send_to("east", std::as_bytes(std::span("word", 4)));
      const std::string heard = next(site, 1);
      if (heard == "word") return empty;
      if (heard.empty()) ++empty;
    }
    return -1;
  }
  void pass(std::chrono::seconds seconds) {
    for (const auto end = now_ + seconds; now_ < end; now_ += 1s) called_.attend(now_);
  }

  std::string folder_;
  std::string address_;
  BusSecurity security_;
  ConnectionLog log_;
  ZmqConnections connections_{security_, log_};
  ZmqConnection* line_ = nullptr;
  ZmqMessage message_;
  CalledSites called_;
  CalledSites::Steady::time_point now_{1h};
};

TEST_F(CalledSitesTest, SendsASilentSiteTheEmptyMessageAgain) {
  SilentSite site(address_);
  call();
  ASSERT_EQ(next(site, 500), "") << "a connection begins with it";
  EXPECT_EQ(empty_ones_before_a_word(site), 0);  // and now they know each other
  pass(8s);
  EXPECT_EQ(empty_ones_before_a_word(site), 7) << "one second of silence means nothing";
}

TEST_F(CalledSitesTest, SendsNothingToASiteThatSpeaks) {
  SilentSite site(address_);
  call();
  ASSERT_EQ(next(site, 500), "");
  EXPECT_EQ(empty_ones_before_a_word(site), 0);
  for (int i = 0; i < 40; ++i) {
    pass(1s);
    called_.heard(0);
  }
  EXPECT_EQ(empty_ones_before_a_word(site), 0);
}

TEST_F(CalledSitesTest, CallsASiteAnewWhoseConnectionWasGivenUpForGood) {
  SilentSite site(address_);
  call();
  ASSERT_EQ(next(site, 500), "");
  ASSERT_EQ(zmq_disconnect(line_->socket.get(), address_.c_str()), 0);
  while (connections_.send_to("east", std::as_bytes(std::span("left", 4)))) next(site, 1);
  while (next(site, 2) != "(nothing)") continue;
  pass(14s);
  EXPECT_EQ(next(site, 2), "(nothing)") << "there is nobody to send anything to";
  pass(1s);
  EXPECT_EQ(next(site, 500), "");
  EXPECT_EQ(empty_ones_before_a_word(site), 0);
}

TEST_F(CalledSitesTest, AreAttendedWhileTheIntegratorWaits) {
  SilentSite site(address_);
  const auto integrator = ZmqTransport::for_integrator(
      {.listen = "", .sites = {{.name = "east", .address = address_}}});
  int empty = 0;
  for (int i = 0; i < 500 && empty < 2; ++i) {
    integrator->wait(20ms);
    if (site.next(0ms).empty()) ++empty;
  }
  EXPECT_EQ(empty, 2) << "a site that missed the first would never know who calls";
}

TEST_F(CalledSitesTest, AreLeftInPeaceWhileTheIntegratorHearsThem) {
  SilentSite site(address_);
  const auto integrator = ZmqTransport::for_integrator(
      {.listen = "", .sites = {{.name = "east", .address = address_}}});
  ReceivedMessage in;
  int empty = 0;
  // The time after which a silent one is sent something, and a half.
  for (const auto end = CalledSites::Steady::now() + 1500ms;
       CalledSites::Steady::now() < end;) {
    integrator->wait(20ms);
    integrator->receive(in);
    while (site.next(0ms).empty()) ++empty;
    if (empty > 0) site.speak();
  }
  EXPECT_EQ(empty, 1) << "the one with which a connection begins";
}

}  // namespace
}  // namespace trestle::bus
