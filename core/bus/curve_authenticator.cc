#include "core/bus/curve_authenticator.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "core/bus/zmq_socket.h"

namespace trestle::bus {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kFramesOfQuestion = 7;
constexpr int kEvents =
    ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED |
    ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
    ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
constexpr std::size_t kConnectionsKept = 256;

/// Returns the address of a connection without its port, so that the attempts of one peer
/// are one line.
std::string origin_of(int connection) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (getpeername(connection, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return "an unknown address";
  if (address.ss_family != AF_INET) return "this machine";
  inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&address)->sin_addr, text.data(),
            text.size());
  return text.data();
}

/// It is a connection to the one who listens at `place`, as ZeroMQ writes it, and no other
/// thing that has got its number since.
bool came_to(int connection, std::string_view place) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (getsockname(connection, reinterpret_cast<sockaddr*>(&own), &size) != 0) return false;
  if (own.ss_family == AF_UNIX) return place.starts_with("ipc://");
  if (own.ss_family != AF_INET) return false;
  const std::string port =
      ":" + std::to_string(ntohs(reinterpret_cast<sockaddr_in*>(&own)->sin_port));
  return place.ends_with(port);
}

std::size_t descriptors() noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<std::size_t>(limit.rlim_cur)
                                               : 0;
}

std::string key_text(const std::string& key) {
  std::array<char, 41> text{};
  zmq_z85_encode(text.data(), reinterpret_cast<const std::uint8_t*>(key.data()),
                 key.size());
  return text.data();
}

const char* role_text(PeerRole role) {
  return role == PeerRole::kParticipant ? "conductor" : "observer";
}

/// Why a handshake failed, by ZeroMQ's code.
std::string failure_of(int code, bool plain) {
  if (code == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
    return plain ? "came with a key, but this end is plain" : "came without a key";
  if (code == ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC)
    return "takes this node for another one: it has not this node's public key, or sends "
           "again what was said before";
  return "does not speak as the handshake asks";
}

/// Why one just ended that took too long; empty: it ended by itself.
std::string cut_after(ConnectionLog::Steady::duration passed, Duration limit) {
  if (passed < limit - limit / 8) return {};
  return "did not finish its handshake within " +
         std::to_string(
             std::chrono::duration_cast<std::chrono::milliseconds>(limit).count()) +
         " ms";
}

}  // namespace

CurveAuthenticator::CurveAuthenticator(void* context, const BusSecurity& security,
                                       ConnectionLog& log)
    : context_(context),
      security_(security),
      log_(log),
      questions_(zmq_socket(context, ZMQ_REP), zmq_close) {
  const int none = 0;
  if (questions_ == nullptr ||
      zmq_setsockopt(questions_.get(), ZMQ_LINGER, &none, sizeof none) != 0 ||
      zmq_bind(questions_.get(), "inproc://zeromq.zap.01") != 0)
    throw std::runtime_error(std::string("ZeroMQ lets nobody answer who may connect: ") +
                             zmq_strerror(zmq_errno()));
  for (const AllowedPeer& peer : security.peers) {
    std::array<std::uint8_t, kKeyBytes> key{};
    if (zmq_z85_decode(key.data(), peer.public_key.c_str()) == nullptr)
      throw std::runtime_error("the key of peer " + peer.name + " is no key");
    by_key_[std::string(reinterpret_cast<const char*>(key.data()), key.size())] = &peer;
  }
}

CurveAuthenticator::~CurveAuthenticator() {
  zmq_ctx_shutdown(context_);
  if (thread_.joinable()) thread_.join();
}

void CurveAuthenticator::watch(void* socket, const std::string& whom) {
  const std::string place = "inproc://trestle.events." + std::to_string(watches_.size());
  auto watch =
      std::make_unique<Watch>(Watch{Socket(zmq_socket(context_, ZMQ_PAIR), zmq_close),
                                    whom,
                                    {},
                                    {},
                                    {},
                                    false,
                                    0,
                                    {},
                                    ConnectionCount(connection_limits(descriptors()))});
  const int none = 0;
  if (watch->events == nullptr || zmq_socket_monitor(socket, place.c_str(), kEvents) != 0 ||
      zmq_setsockopt(watch->events.get(), ZMQ_LINGER, &none, sizeof none) != 0 ||
      zmq_connect(watch->events.get(), place.c_str()) != 0)
    throw std::runtime_error(std::string("ZeroMQ does not tell what becomes of calls: ") +
                             zmq_strerror(zmq_errno()));
  watches_.push_back(std::move(watch));
}

void CurveAuthenticator::begin() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);  // signals are for the threads that know what to do with them
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void CurveAuthenticator::run() {
  // Among ZeroMQ's own: where those are raised above others it must not starve.
  pthread_setname_np(pthread_self(), "ZMQbg/door");
  std::vector<zmq_pollitem_t> items;
  const auto ask = [&items](void* socket) {
    items.push_back({.socket = socket, .fd = 0, .events = ZMQ_POLLIN, .revents = 0});
  };
  ask(questions_.get());
  for (const auto& watch : watches_) ask(watch->events.get());
  // Until the context is shut down.
  while (zmq_poll(items.data(), static_cast<int>(items.size()), -1) >= 0) {
    if (items[0].revents != 0) answer();
    for (std::size_t i = 0; i < watches_.size(); ++i)
      if (items[i + 1].revents != 0) hear(*watches_[i]);
  }
}

/// Frames of the question: version, number, domain, address, identity, mechanism, key.
void CurveAuthenticator::answer() {
  std::vector<std::string> question;
  for (bool more = true; more;) {
    ZmqFrame frame;
    if (!frame.receive(questions_.get())) return;
    question.emplace_back(frame.text());
    more = frame.more();
  }
  question.resize(std::max(question.size(), kFramesOfQuestion));
  const std::string& key = question[6];
  const std::string from = question[3].empty() ? "this machine" : question[3];
  const bool curve =
      question[0] == "1.0" && question[5] == "CURVE" && key.size() == kKeyBytes;
  const auto listed = curve ? by_key_.find(key) : by_key_.end();
  const bool welcome = listed != by_key_.end();
  if (welcome)
    log_.tell(listed->second->name + " (" + role_text(listed->second->role) +
              ") connected from " + from);
  else
    log_.refuse("refused a peer from " + from + ": its key " +
                (curve ? key_text(key) : "is none, and") +
                " is not listed in security.peers");
  const std::array<std::string, 6> reply{"1.0",
                                         question[1],
                                         welcome ? "200" : "400",
                                         welcome ? "OK" : "not listed",
                                         welcome ? listed->second->name : "",
                                         ""};
  for (std::size_t i = 0; i < reply.size(); ++i)
    zmq_send(questions_.get(), reply[i].data(), reply[i].size(),
             i + 1 < reply.size() ? ZMQ_SNDMORE : 0);
}

void CurveAuthenticator::hear(Watch& watch) {
  ZmqFrame head;
  while (head.receive(watch.events.get())) {
    ZmqFrame place;
    if (head.more()) place.receive(watch.events.get());
    const auto bytes = head.bytes();
    if (bytes.size() != sizeof(std::uint16_t) + sizeof(std::int32_t)) continue;
    std::uint16_t event = 0;
    std::int32_t value = 0;
    std::memcpy(&event, bytes.data(), sizeof event);
    std::memcpy(&value, bytes.data() + sizeof event, sizeof value);
    if (watch.whom.empty())
      hear_listener(watch, event, value, place.text());
    else
      hear_caller(watch, event, value);
  }
}

/// Who connects, and may stay: one who has too many is cut off at once.
void CurveAuthenticator::admit_connection(Watch& watch, int connection,
                                          std::string_view place) {
  watch.proven.erase(connection);
  watch.unproven.erase(connection);
  const std::string from = origin_of(connection);
  if (const std::string why = watch.count.admit(connection, from); !why.empty()) {
    if (came_to(connection, place)) shutdown(connection, SHUT_RDWR);
    return log_.refuse("refused a peer from " + from + ": " + why);
  }
  if (watch.unproven.size() < kConnectionsKept)
    watch.unproven[connection] = {from, ConnectionLog::Steady::now()};
}

void CurveAuthenticator::hear_listener(Watch& watch, int event, int value,
                                       std::string_view place) {
  switch (event) {
    case ZMQ_EVENT_ACCEPTED:
      admit_connection(watch, value, place);
      break;
    case ZMQ_EVENT_HANDSHAKE_SUCCEEDED:  // of which connection is not said
      if (watch.proven.size() < kConnectionsKept) watch.proven.merge(watch.unproven);
      watch.unproven.clear();
      break;
    case ZMQ_EVENT_DISCONNECTED:
      hear_end(watch, value);
      break;
    case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH:  // the answer to ZeroMQ's question said it
      ++watch.rejected;
      break;
    case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:
      watch.cut_short = true;
      return;
    default:
      watch.failure = failure_of(value, security_.secret_key.empty());
      return;
  }
  watch.failure.clear();
  watch.cut_short = false;
}

/// A peer that connected after the session ended had no part in it. True once per session.
bool CurveAuthenticator::took_part_until_the_end(const PendingPeer& caller) noexcept {
  if (caller.since >= parted_.load()) return false;
  parted_.store(kNeverParted);
  return true;
}

void CurveAuthenticator::hear_end(Watch& watch, int connection) {
  if (watch.count.gone(connection)) return;  // why was said
  const auto unproven = watch.unproven.extract(connection);
  const auto proven = watch.proven.extract(connection);
  const PendingPeer caller = !unproven.empty() ? unproven.mapped()
                             : !proven.empty() ? proven.mapped()
                                               : PendingPeer{"an unknown address", {}};
  const std::string& from = caller.from;
  if (watch.cut_short)
    watch.failure =
        cut_after(ConnectionLog::Steady::now() - caller.since, security_.handshake);
  if (watch.cut_short && watch.failure.empty())
    // A peer that sees that this end requires a key may disconnect before it is refused.
    log_.note("a connection from " + from +
              " ended before its handshake was over: normal at a start and where a network "
              "is cut" +
              (security_.secret_key.empty() ? "" : "; a peer without a key ends so, too"));
  else if (!watch.failure.empty())
    log_.refuse("refused a peer from " + from + ": it " + watch.failure);
  else if (!unproven.empty() && watch.rejected > 0)
    --watch.rejected;
  else if (!unproven.empty())
    log_.refuse("refused a peer from " + from +
                ": what it sent is no handshake of this bus, or it sent nothing");
  else if (took_part_until_the_end(caller))
    log_.tell("a peer from " + from + " left after the end of its test");
  else
    log_.tell("a peer from " + from + " is gone: it left, or sent more than " +
              std::to_string(kLongestFrame >> 20) +
              " MiB at once, or what is no frame of this bus");
}

/// The other end disconnected during the handshake. It may not run yet behind a relay that
/// does. If this does not end, it may not understand the messages of this end.
void CurveAuthenticator::hear_cut_call(Watch& watch) {
  const auto now = ConnectionLog::Steady::now();
  if (!watch.failing_since) watch.failing_since = now;
  if (now - *watch.failing_since < security_.start_up)
    return log_.note("a connection to " + watch.whom +
                     " ended before its handshake was over: normal while that end starts, "
                     "and where a network is cut");
  log_.refuse("no handshake with " + watch.whom +
              " comes to its end: that end does not run behind what answers there, or it "
              "is plain, or it has another key than the public key given here");
}

void CurveAuthenticator::hear_caller(Watch& watch, int event, int value) {
  if (event == ZMQ_EVENT_HANDSHAKE_SUCCEEDED)
    watch.failing_since.reset();
  else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
    log_.refuse(watch.whom +
                " refuses this node: its key is not listed there; add the "
                "public key to security.peers of " +
                watch.whom);
  else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL &&
           value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH)
    log_.refuse(watch.whom + (security_.secret_key.empty()
                                  ? " asks for a key; this end is plain, so give it "
                                    "`security: {key: ...}`"
                                  : " is plain; give it a key, or take this end's away"));
  else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL)
    hear_cut_call(watch);
  else if (event == ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL)
    log_.refuse("the handshake with " + watch.whom +
                " failed: it has another key than the public key given here, or it speaks "
                "another protocol");
}

}  // namespace trestle::bus
