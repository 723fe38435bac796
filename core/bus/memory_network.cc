#include "core/bus/memory_network.h"

#include <algorithm>
#include <cassert>

#include "core/bus/memory_channel.h"
#include "core/network/link_model.h"

namespace trestle::bus {

struct MemoryNetwork::Channels {
  explicit Channels(MessageCodec& codec)
      : to_site(std::make_unique<MemoryChannel>(kQueueLength, codec)),
        to_integrator(std::make_unique<MemoryChannel>(kQueueLength, codec)) {}

  std::unique_ptr<MemoryChannel> to_site;
  std::unique_ptr<MemoryChannel> to_integrator;
};

class MemoryNetwork::IntegratorEnd final : public Transport {
 public:
  explicit IntegratorEnd(MemoryNetwork& network) : network_(network) {}

  bool send(int peer, const StepCommand& message) noexcept override {
    return known(peer) && channels(peer).to_site->push(message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return known(peer) && channels(peer).to_site->push(message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return known(peer) && channels(peer).to_site->push(message);
  }

  bool receive(ReceivedMessage& into) override {
    const int sites = static_cast<int>(network_.channels_.size());
    for (int tried = 0; tried < sites; ++tried) {
      const int peer = next_;
      next_ = (next_ + 1) % sites;  // fair: no site's flood starves another
      if (!channels(peer).to_integrator->pop(into)) continue;
      into.peer = peer;
      return true;
    }
    return false;
  }

  void lock_peer(bool /*keep*/) noexcept override {}  // there is but one
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  bool known(int peer) const noexcept {
    return peer >= 0 && peer < static_cast<int>(network_.channels_.size());
  }
  Channels& channels(int peer) noexcept {
    return *network_.channels_[static_cast<std::size_t>(peer)];
  }

  MemoryNetwork& network_;
  int next_ = 0;
};

class MemoryNetwork::SiteEnd final : public Transport {
 public:
  explicit SiteEnd(Channels& channels) : channels_(channels) {}

  bool send(int peer, const StepCommand& message) noexcept override {
    return peer == 0 && channels_.to_integrator->push(message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    return peer == 0 && channels_.to_integrator->push(message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return peer == 0 && channels_.to_integrator->push(message);
  }

  bool receive(ReceivedMessage& into) override {
    if (!channels_.to_site->pop(into)) return false;
    into.peer = 0;
    return true;
  }

  void lock_peer(bool /*keep*/) noexcept override {}  // there is but one
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  Channels& channels_;
};

MemoryNetwork::MemoryNetwork(int sites) {
  assert(sites >= 0);
  for (int i = 0; i < sites; ++i) {
    channels_.push_back(std::make_unique<Channels>(codec_));
    sites_.push_back(std::make_unique<SiteEnd>(*channels_.back()));
  }
  integrator_ = std::make_unique<IntegratorEnd>(*this);
}

MemoryNetwork::~MemoryNetwork() = default;

void MemoryNetwork::link(int site, const network::LinkSettings& settings,
                         const Clock& clock) {
  assert(site >= 0 && site < static_cast<int>(channels_.size()));
  const auto direction = [&](network::LinkDirection way) {
    return std::make_unique<MemoryChannel>(kLinkedQueueLength, codec_,
                                           network::LinkModel(settings, way), clock);
  };
  Channels& channels = *channels_[static_cast<std::size_t>(site)];
  channels.to_site = direction(network::LinkDirection::kToSite);
  channels.to_integrator = direction(network::LinkDirection::kToIntegrator);
}

TimePoint MemoryNetwork::next_delivery(TimePoint now) const noexcept {
  TimePoint next = TimePoint::max();
  for (const std::unique_ptr<Channels>& channels : channels_)
    next = std::min({next, channels->to_site->next_delivery(now),
                     channels->to_integrator->next_delivery(now)});
  return next;
}

bool MemoryNetwork::unread() const noexcept {
  return std::any_of(channels_.begin(), channels_.end(), [](const auto& channels) {
    return channels->to_site->unread() || channels->to_integrator->unread();
  });
}

Transport& MemoryNetwork::integrator() noexcept {
  return *integrator_;
}

Transport& MemoryNetwork::site(int site) noexcept {
  assert(site >= 0 && site < static_cast<int>(sites_.size()));
  return *sites_[static_cast<std::size_t>(site)];
}

}  // namespace trestle::bus
