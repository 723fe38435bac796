#pragma once

#include <vector>

#include "core/ports/transport.h"

namespace trestle::bus {

/// The integrator's end of a test with sites in this process and sites elsewhere: one
/// transport made of two, each site reached through its own.
class CompositeTransport final : public Transport {
 public:
  /// @param remote  per site, in the order of the test: does it live elsewhere? Among
  /// themselves
  ///                the sites of either kind keep that order.
  CompositeTransport(Transport& here, Transport& elsewhere,
                     const std::vector<bool>& remote);

  bool send(int peer, const StepCommand& message) noexcept override;
  bool send(int peer, const StepResponse& message) noexcept override;
  bool send(int peer, const SessionMessage& message) override;
  bool receive(ReceivedMessage& into) override;
  void lock_peer(bool /*keep*/) noexcept override {}  // an integrator's end
  void wait(Duration timeout) noexcept override;
  void set_clock(const Clock& clock) noexcept override {
    here_.set_clock(clock);
    elsewhere_.set_clock(clock);
  }
  TimePoint last_send_time() const noexcept override { return handed_on_; }

 private:
  struct Place {
    Transport* transport;
    int peer;
  };

  Transport& here_;
  Transport& elsewhere_;
  TimePoint handed_on_{};
  std::vector<Place> places_;         ///< per site
  std::vector<int> sites_here_;       ///< the test's place of each peer of `here`
  std::vector<int> sites_elsewhere_;  ///< and of `elsewhere`
};

}  // namespace trestle::bus
