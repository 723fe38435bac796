#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/codec.h"
#include "core/ports/transport.h"

namespace trestle {

/// Where the integrator meets its sites. Peer i of its transport is sites[i].
struct IntegratorEndpoint {
  struct Site {
    std::string name;     ///< what the site calls itself: 1 to 255 bytes, unique
    std::string address;  ///< where the site listens; empty: it calls in
  };
  std::string
      listen;  ///< tcp://*:7000, ipc://...; port 0: any free one; empty: nobody calls in
  std::vector<Site> sites;
};

/// Where a site meets its integrator: exactly one of listen and integrator.
struct SiteEndpoint {
  std::string name;
  std::string listen;      ///< the integrator calls in here
  std::string integrator;  ///< call the integrator there
};

/// The bus between processes: a ROUTER at the integrator; at a site a DEALER where it
/// calls, a ROUTER where it listens, so that it can tell who calls.
///
/// A site is known by its name, its socket's routing id; one that comes back under its name
/// takes over its own place. Whoever else speaks is dropped and counted; at a site that
/// keeps its peer likewise, and the last of those is its peer as soon as it does not. An
/// integrator's socket has an id of its own, and says it where it connects. Before a
/// connection stands, and while a queue is full, send() gives false; nothing is kept for
/// later. The socket belongs to the thread that drives the node; wake() alone may be called
/// by others.
class ZmqTransport final : public Transport {
 public:
  /// @throws std::runtime_error where an address or a name cannot be used; says which and
  /// why
  static std::unique_ptr<ZmqTransport> for_integrator(const IntegratorEndpoint& endpoint);
  static std::unique_ptr<ZmqTransport> for_site(const SiteEndpoint& endpoint);

  ~ZmqTransport() override;
  ZmqTransport(const ZmqTransport&) = delete;
  ZmqTransport& operator=(const ZmqTransport&) = delete;

  bool send(int peer, const StepCommand& message) noexcept override;
  bool send(int peer, const StepResponse& message) noexcept override;
  bool send(int peer, const SessionMessage& message) override;
  bool receive(Incoming& into) override;
  void keep_peer(bool keep) noexcept override;
  void wait(Duration timeout) noexcept override;
  void stamp_with(const Clock& clock) noexcept override { clock_ = &clock; }
  TimePoint handed_on() const noexcept override { return handed_on_; }

  /// Ends the wait() of now, or else the next one. From any thread or signal handler.
  void wake() const noexcept;

  /// Where it listens, a free port resolved: tcp://127.0.0.1:40123; empty where it only
  /// calls.
  const std::string& bound_endpoint() const noexcept { return bound_endpoint_; }

  /// Who spoke without being of this test: the first few names, fit to print.
  const std::vector<std::string>& strangers() const noexcept { return strangers_; }
  /// Messages of theirs that were dropped.
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  struct Arrived;
  enum class Side { kIntegrator, kCallingSite, kListeningSite };

  ZmqTransport(Side side, std::vector<std::string> peers);

  void option(int name, int value);
  void name_socket(const std::string& name);
  void listen(const std::string& address);
  void call(const std::string& address);

  bool send(int peer, std::span<const std::byte> bytes) noexcept;
  bool take() noexcept;
  bool take_frames() noexcept;
  int caller_named(std::string_view id) noexcept;
  int peer_named(std::string_view name) noexcept;
  void remember_stranger(std::string_view name) noexcept;
  bool sleep(Duration timeout) const noexcept;

  Side side_;
  const Clock* clock_ = nullptr;
  TimePoint handed_on_{};
  std::vector<std::string> peers_;  // the sites' names; unused at a site
  std::string caller_;              // a listening site's peer; empty: nobody called yet
  std::string waiting_;             // called while another one was kept
  bool keep_ = false;
  std::unique_ptr<void, int (*)(void*)> context_;  // closed in reverse order
  std::unique_ptr<void, int (*)(void*)> socket_;
  int socket_event_ = -1;
  int wake_event_ = -1;
  Codec codec_;
  std::unique_ptr<Arrived> arrived_;  // taken from the socket, not yet received
  std::string bound_endpoint_;
  std::vector<std::string> strangers_;
  std::uint64_t dropped_ = 0;
};

}  // namespace trestle
