#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/bus/message_codec.h"
#include "core/network/link_model.h"
#include "core/ports/clock.h"
#include "core/ports/transport.h"
#include "studies/rehearsal/scenario_random.h"
#include "studies/rehearsal/scheduled_fault.h"

namespace trestle::rehearsal {

/// The bus of a laboratory on which faults delay, lose, duplicate, reorder or stop
/// messages. Unlike the real one it does not preserve their order.
///
/// Nodes come and go; what is on its way to one that died is lost with it.
class FaultyNetwork {
 public:
  enum Direction : std::uint8_t { kToSite, kToIntegrator };

  /// @param clock  the lab's own; outlives this
  FaultyNetwork(int sites, const Clock& clock, const ScenarioRandom& dice);

  /// Told of every message, for a story: "Halt to west, lost".
  using Listener = std::function<void(int site, Direction way, const std::string& what,
                                      const char* fate)>;
  void tell(Listener listener) { listener_ = std::move(listener); }

  /// Puts a separate network between integrator and this site.
  void link(int site, const network::LinkSettings& settings);

  /// Begins a fault for its duration. @pre it is a fault of the network
  void begin(const ScheduledFault& fault);

  /// @returns false if the message could not travel
  bool send(int site, Direction way, const StepCommand& message);
  bool send(int site, Direction way, const StepResponse& message);
  bool send(int site, Direction way, const SessionMessage& message);
  /// Delivers a message immediately that no node has sent.
  void inject(int site, Direction way, const ReceivedMessage& message);

  /// Takes the next message that has arrived. @returns false if no message has arrived
  bool receive(int site, Direction way, ReceivedMessage& into);

  /// Discards the messages to a node that died.
  void forget_to(int node);

  /// When the next message arrives that has not yet; TimePoint::max(): none is on its way.
  TimePoint next_delivery(TimePoint now) const noexcept;

 private:
  struct QueuedMessage {
    TimePoint arrives{};
    std::uint64_t number = 0;
    ReceivedMessage content;
  };
  struct ActiveDisturbance {
    FaultType sort = FaultType::kDelay;
    TimePoint until{};
    double amount = 0.0;
  };
  struct Line {  // one way between the integrator and a site
    std::vector<std::unique_ptr<QueuedMessage>> letters;  // last to arrive first
    std::vector<ActiveDisturbance> troubles;
    std::optional<network::LinkModel> link;
  };

  Line& line(int site, Direction way) noexcept {
    return lines_[2 * static_cast<std::size_t>(site) + way];
  }
  template <typename Message>
  bool dispatch(int site, Direction way, const Message& message);
  void post(Line& to, TimePoint arrives, const ReceivedMessage& content);
  Duration troubled_delay(Line& on, bool& lost, bool& twice);
  bool travel(Line& on, std::size_t bytes, TimePoint& arrives);

  const Clock& clock_;
  ScenarioRandom dice_;
  bus::MessageCodec codec_;
  std::vector<Line> lines_;
  std::vector<std::unique_ptr<QueuedMessage>> spare_;
  std::uint64_t posted_ = 0;
  Listener listener_;
};

}  // namespace trestle::rehearsal
