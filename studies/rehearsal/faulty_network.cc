#include "studies/rehearsal/faulty_network.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trestle::rehearsal {
namespace {

// A message that is overtaken comes later by so much [s].
constexpr double kShortestDetour = 1e-4;
constexpr double kLongestDetour = 0.8;

void put(ReceivedMessage& into, const StepCommand& message) {
  into.kind = ReceivedMessage::Kind::kStepCommand;
  into.command = message;
}
void put(ReceivedMessage& into, const StepResponse& message) {
  into.kind = ReceivedMessage::Kind::kStepResponse;
  into.response = message;
}
void put(ReceivedMessage& into, const SessionMessage& message) {
  into.kind = ReceivedMessage::Kind::kSession;
  into.session = message;
}

bool can_travel(const StepCommand& message) {
  return bus::has_consistent_sizes(message);
}
bool can_travel(const StepResponse& message) {
  return bus::has_consistent_sizes(message);
}
bool can_travel(const SessionMessage& /*message*/) {
  return true;
}

std::string words(const StepCommand& message) {
  return "StepCommand " + std::to_string(message.step);
}
std::string words(const StepResponse& message) {
  return "StepResponse " + std::to_string(message.step);
}
std::string words(const SessionMessage& message) {
  static constexpr std::array<const char*, std::variant_size_v<SessionMessage>> kNames{
      "Hello",  "Welcome",   "Refusal", "Configure", "Configured", "Arm",   "Armed",
      "Start",  "Heartbeat", "Halt",    "Stop",      "Stopped",    "Fetch", "Chunk",
      "Resume", "Resumed",   "Ask",     "Tell",      "Busy"};
  std::string name = kNames[message.index()];
  if (const auto* hello = std::get_if<Hello>(&message))
    return name + " (last step " + std::to_string(hello->last_step) + ", in doubt " +
           std::to_string(hello->unconfirmed_step) + (hello->can_resume ? ")" : ", new)");
  if (const auto* refusal = std::get_if<Rejection>(&message))
    return name + ": " + refusal->reason;
  if (const auto* configure = std::get_if<Configure>(&message))
    return configure->resume ? name + " to go on" : name;
  if (const auto* resume = std::get_if<Resume>(&message))
    return name + " from step " + std::to_string(resume->next_step);
  if (const auto* resumed = std::get_if<Resumed>(&message))
    return name + " behind step " + std::to_string(resumed->last_step);
  if (const auto* halt = std::get_if<Halt>(&message)) return name + ": " + halt->reason;
  return name;
}

/// Copies only the fields in use.
void copy(const ReceivedMessage& from, ReceivedMessage& to) {
  to.kind = from.kind;
  switch (from.kind) {
    case ReceivedMessage::Kind::kStepCommand:
      to.command = from.command;
      break;
    case ReceivedMessage::Kind::kStepResponse:
      to.response = from.response;
      break;
    case ReceivedMessage::Kind::kSession:
      to.session = from.session;
      break;
    case ReceivedMessage::Kind::kMalformed:
      to.problem = from.problem;
      break;
  }
}

}  // namespace

FaultyNetwork::FaultyNetwork(int sites, const Clock& clock, const ScenarioRandom& dice)
    : clock_(clock), dice_(dice), lines_(2 * static_cast<std::size_t>(sites)) {}

void FaultyNetwork::link(int site, const network::LinkSettings& settings) {
  line(site, kToSite).link.emplace(settings, network::LinkDirection::kToSite);
  line(site, kToIntegrator).link.emplace(settings, network::LinkDirection::kToIntegrator);
}

void FaultyNetwork::begin(const ScheduledFault& fault) {
  const ActiveDisturbance trouble{fault.sort, clock_.now() + fault.duration, fault.amount};
  const bool one_way = fault.sort == FaultType::kOneWay;
  if (!one_way || fault.detail == 0) line(fault.node, kToSite).troubles.push_back(trouble);
  if (!one_way || fault.detail == 1)
    line(fault.node, kToIntegrator).troubles.push_back(trouble);
}

template <typename Message>
bool FaultyNetwork::dispatch(int site, Direction way, const Message& message) {
  if (!can_travel(message)) return false;
  Line& on = line(site, way);
  bool lost = false;
  bool twice = false;
  const Duration delay = troubled_delay(on, lost, twice);
  TimePoint arrives = clock_.now();
  if (on.link && !travel(on, codec_.encode(message).size(), arrives)) lost = true;
  if (listener_)
    listener_(site, way, words(message),
              lost                        ? ", lost"
              : twice                     ? ", twice"
              : delay != Duration::zero() ? ", late"
                                          : "");
  if (lost) return true;
  ReceivedMessage content;
  put(content, message);
  post(on, arrives + delay, content);
  if (twice)
    post(on, arrives + delay + dice_.spread_time(kShortestDetour, kLongestDetour), content);
  return true;
}

bool FaultyNetwork::send(int site, Direction way, const StepCommand& message) {
  return dispatch(site, way, message);
}
bool FaultyNetwork::send(int site, Direction way, const StepResponse& message) {
  return dispatch(site, way, message);
}
bool FaultyNetwork::send(int site, Direction way, const SessionMessage& message) {
  return dispatch(site, way, message);
}

void FaultyNetwork::inject(int site, Direction way, const ReceivedMessage& message) {
  post(line(site, way), clock_.now(), message);
}

Duration FaultyNetwork::troubled_delay(Line& on, bool& lost, bool& twice) {
  const TimePoint now = clock_.now();
  std::erase_if(on.troubles,
                [now](const ActiveDisturbance& each) { return each.until <= now; });
  Duration delay{};
  for (const ActiveDisturbance& trouble : on.troubles) {
    switch (trouble.sort) {
      case FaultType::kDelay:
        delay += Duration{std::llround(dice_.uniform() * trouble.amount * 1e9)};
        break;
      case FaultType::kLoss:
        lost = dice_.bernoulli(trouble.amount) || lost;
        break;
      case FaultType::kDuplication:
        twice = dice_.bernoulli(trouble.amount) || twice;
        break;
      case FaultType::kReordering:
        if (dice_.bernoulli(trouble.amount))
          delay += dice_.spread_time(kShortestDetour, kLongestDetour);
        break;
      default:
        lost = true;
    }
  }
  return delay;
}

bool FaultyNetwork::travel(Line& on, std::size_t bytes, TimePoint& arrives) {
  const network::LinkModel::Delivery passage = on.link->delivery(clock_.now(), bytes);
  arrives = passage.delivered;
  return !passage.lost;
}

void FaultyNetwork::post(Line& to, TimePoint arrives, const ReceivedMessage& content) {
  std::unique_ptr<QueuedMessage> letter;
  if (spare_.empty()) {
    letter = std::make_unique<QueuedMessage>();
  } else {
    letter = std::move(spare_.back());
    spare_.pop_back();
  }
  letter->arrives = arrives;
  letter->number = ++posted_;
  copy(content, letter->content);
  const auto before = [](const std::unique_ptr<QueuedMessage>& a,
                         const std::unique_ptr<QueuedMessage>& b) {
    return a->arrives != b->arrives ? a->arrives > b->arrives : a->number > b->number;
  };
  to.letters.insert(std::lower_bound(to.letters.begin(), to.letters.end(), letter, before),
                    std::move(letter));
}

bool FaultyNetwork::receive(int site, Direction way, ReceivedMessage& into) {
  Line& from = line(site, way);
  if (from.letters.empty() || from.letters.back()->arrives > clock_.now()) return false;
  copy(from.letters.back()->content, into);
  spare_.push_back(std::move(from.letters.back()));
  from.letters.pop_back();
  return true;
}

void FaultyNetwork::forget_to(int node) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const bool to_site = i % 2 == kToSite;
    if (node < 0 ? !to_site : to_site && static_cast<int>(i / 2) == node)
      lines_[i].letters.clear();
  }
}

TimePoint FaultyNetwork::next_delivery(TimePoint now) const noexcept {
  TimePoint next = TimePoint::max();
  for (const Line& each : lines_)
    for (auto letter = each.letters.rbegin(); letter != each.letters.rend(); ++letter)
      if ((*letter)->arrives > now) {
        next = std::min(next, (*letter)->arrives);
        break;
      }
  return next;
}

}  // namespace trestle::rehearsal
