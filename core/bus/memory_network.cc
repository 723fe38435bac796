#include "core/bus/memory_network.h"

#include <array>
#include <cassert>
#include <deque>
#include <utility>

namespace trestle {
namespace {

/// Bounded first-in first-out room, made once.
template <typename Message, std::size_t kLength>
class Ring {
 public:
  Ring() : places_(std::make_unique<std::array<Message, kLength>>()) {}

  bool full() const noexcept { return count_ == kLength; }
  bool empty() const noexcept { return count_ == 0; }
  void push(const Message& message) noexcept {
    (*places_)[(first_ + count_) % kLength] = message;
    ++count_;
  }
  const Message& front() const noexcept { return (*places_)[first_]; }
  void pop() noexcept {
    first_ = (first_ + 1) % kLength;
    --count_;
  }

 private:
  std::unique_ptr<std::array<Message, kLength>> places_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

/// One direction between two nodes. The order of all messages is kept in one ring of kinds;
/// each kind's content waits in its own.
class MemoryNetwork::Queue {
 public:
  bool push(const StepCommand& message) noexcept {
    if (order_.full()) return false;
    commands_.push(message);
    order_.push(Incoming::Kind::kStepCommand);
    return true;
  }

  bool push(const StepResponse& message) noexcept {
    if (order_.full()) return false;
    responses_.push(message);
    order_.push(Incoming::Kind::kStepResponse);
    return true;
  }

  bool push(const SessionMessage& message) {
    if (order_.full()) return false;
    sessions_.push_back(message);
    order_.push(Incoming::Kind::kSession);
    return true;
  }

  bool empty() const noexcept { return order_.empty(); }

  void pop(Incoming& into) {
    into.kind = order_.front();
    order_.pop();
    if (into.kind == Incoming::Kind::kStepCommand) {
      into.command = commands_.front();
      commands_.pop();
    } else if (into.kind == Incoming::Kind::kStepResponse) {
      into.response = responses_.front();
      responses_.pop();
    } else {
      into.session = std::move(sessions_.front());
      sessions_.pop_front();
    }
  }

 private:
  Ring<Incoming::Kind, kQueueLength> order_;
  Ring<StepCommand, kQueueLength> commands_;
  Ring<StepResponse, kQueueLength> responses_;
  std::deque<SessionMessage> sessions_;
};

struct MemoryNetwork::Link {
  Queue to_site;
  Queue to_integrator;
};

class MemoryNetwork::IntegratorEnd final : public Transport {
 public:
  explicit IntegratorEnd(MemoryNetwork& network) : network_(network) {}

  bool send(int peer, const StepCommand& message) noexcept override {
    assert(consistent(message));
    return known(peer) && link(peer).to_site.push(message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    assert(consistent(message));
    return known(peer) && link(peer).to_site.push(message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return known(peer) && !network_.codec_.encode(message).empty() &&
           link(peer).to_site.push(message);
  }

  bool receive(Incoming& into) override {
    const int sites = static_cast<int>(network_.links_.size());
    for (int tried = 0; tried < sites; ++tried) {
      const int peer = next_;
      next_ = (next_ + 1) % sites;  // fair: nobody's flood starves another
      if (link(peer).to_integrator.empty()) continue;
      link(peer).to_integrator.pop(into);
      into.peer = peer;
      return true;
    }
    return false;
  }

  void keep_peer(bool /*keep*/) noexcept override {}  // there is but one
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  bool known(int peer) const noexcept {
    return peer >= 0 && peer < static_cast<int>(network_.links_.size());
  }
  Link& link(int peer) noexcept { return *network_.links_[static_cast<std::size_t>(peer)]; }

  MemoryNetwork& network_;
  int next_ = 0;
};

class MemoryNetwork::SiteEnd final : public Transport {
 public:
  SiteEnd(Link& link, Codec& codec) : link_(link), codec_(codec) {}

  bool send(int peer, const StepCommand& message) noexcept override {
    assert(consistent(message));
    return peer == 0 && link_.to_integrator.push(message);
  }
  bool send(int peer, const StepResponse& message) noexcept override {
    assert(consistent(message));
    return peer == 0 && link_.to_integrator.push(message);
  }
  bool send(int peer, const SessionMessage& message) override {
    return peer == 0 && !codec_.encode(message).empty() &&
           link_.to_integrator.push(message);
  }

  bool receive(Incoming& into) override {
    if (link_.to_site.empty()) return false;
    link_.to_site.pop(into);
    into.peer = 0;
    return true;
  }

  void keep_peer(bool /*keep*/) noexcept override {}  // there is but one
  void wait(Duration /*timeout*/) noexcept override {}

 private:
  Link& link_;
  Codec& codec_;
};

MemoryNetwork::MemoryNetwork(int sites) {
  assert(sites >= 0);
  for (int i = 0; i < sites; ++i) {
    links_.push_back(std::make_unique<Link>());
    sites_.push_back(std::make_unique<SiteEnd>(*links_.back(), codec_));
  }
  integrator_ = std::make_unique<IntegratorEnd>(*this);
}

MemoryNetwork::~MemoryNetwork() = default;

Transport& MemoryNetwork::integrator() noexcept {
  return *integrator_;
}

Transport& MemoryNetwork::site(int site) noexcept {
  assert(site >= 0 && site < static_cast<int>(sites_.size()));
  return *sites_[static_cast<std::size_t>(site)];
}

}  // namespace trestle
