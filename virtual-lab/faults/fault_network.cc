#include "virtual-lab/faults/fault_network.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trestle {
namespace {

// A message that is overtaken comes later by so much [s].
constexpr double kShortestDetour = 1e-4;
constexpr double kLongestDetour = 0.8;

void put(Incoming& into, const StepCommand& message) {
  into.kind = Incoming::Kind::kStepCommand;
  into.command = message;
}
void put(Incoming& into, const StepResponse& message) {
  into.kind = Incoming::Kind::kStepResponse;
  into.response = message;
}
void put(Incoming& into, const SessionMessage& message) {
  into.kind = Incoming::Kind::kSession;
  into.session = message;
}

bool can_travel(const StepCommand& message) {
  return consistent(message);
}
bool can_travel(const StepResponse& message) {
  return consistent(message);
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
           std::to_string(hello->in_doubt_step) + (hello->can_resume ? ")" : ", new)");
  if (const auto* refusal = std::get_if<Refusal>(&message))
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

/// What stands in it, and no more.
void copy(const Incoming& from, Incoming& to) {
  to.kind = from.kind;
  switch (from.kind) {
    case Incoming::Kind::kStepCommand:
      to.command = from.command;
      break;
    case Incoming::Kind::kStepResponse:
      to.response = from.response;
      break;
    case Incoming::Kind::kSession:
      to.session = from.session;
      break;
    case Incoming::Kind::kMalformed:
      to.problem = from.problem;
      break;
  }
}

}  // namespace

FaultNetwork::FaultNetwork(int sites, const Clock& clock, const FaultDice& dice)
    : clock_(clock), dice_(dice), lines_(2 * static_cast<std::size_t>(sites)) {}

void FaultNetwork::link(int site, const LinkSettings& settings) {
  line(site, kToSite).link.emplace(settings, LinkDirection::kToSite);
  line(site, kToIntegrator).link.emplace(settings, LinkDirection::kToIntegrator);
}

void FaultNetwork::begin(const PlannedFault& fault) {
  const Trouble trouble{fault.sort, clock_.now() + fault.duration, fault.amount};
  const bool one_way = fault.sort == FaultSort::kOneWay;
  if (!one_way || fault.detail == 0) line(fault.node, kToSite).troubles.push_back(trouble);
  if (!one_way || fault.detail == 1)
    line(fault.node, kToIntegrator).troubles.push_back(trouble);
}

template <typename Message>
bool FaultNetwork::dispatch(int site, Way way, const Message& message) {
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
  Incoming content;
  put(content, message);
  post(on, arrives + delay, content);
  if (twice)
    post(on, arrives + delay + dice_.spread_time(kShortestDetour, kLongestDetour), content);
  return true;
}

bool FaultNetwork::send(int site, Way way, const StepCommand& message) {
  return dispatch(site, way, message);
}
bool FaultNetwork::send(int site, Way way, const StepResponse& message) {
  return dispatch(site, way, message);
}
bool FaultNetwork::send(int site, Way way, const SessionMessage& message) {
  return dispatch(site, way, message);
}

void FaultNetwork::inject(int site, Way way, const Incoming& message) {
  post(line(site, way), clock_.now(), message);
}

Duration FaultNetwork::troubled_delay(Line& on, bool& lost, bool& twice) {
  const TimePoint now = clock_.now();
  std::erase_if(on.troubles, [now](const Trouble& each) { return each.until <= now; });
  Duration delay{};
  for (const Trouble& trouble : on.troubles) {
    switch (trouble.sort) {
      case FaultSort::kDelay:
        delay += Duration{std::llround(dice_.uniform() * trouble.amount * 1e9)};
        break;
      case FaultSort::kLoss:
        lost = dice_.chance(trouble.amount) || lost;
        break;
      case FaultSort::kDuplication:
        twice = dice_.chance(trouble.amount) || twice;
        break;
      case FaultSort::kReordering:
        if (dice_.chance(trouble.amount))
          delay += dice_.spread_time(kShortestDetour, kLongestDetour);
        break;
      default:
        lost = true;
    }
  }
  return delay;
}

bool FaultNetwork::travel(Line& on, std::size_t bytes, TimePoint& arrives) {
  const LinkModel::Passage passage = on.link->delivery(clock_.now(), bytes);
  arrives = passage.delivered;
  return !passage.lost;
}

void FaultNetwork::post(Line& to, TimePoint arrives, const Incoming& content) {
  std::unique_ptr<Letter> letter;
  if (spare_.empty()) {
    letter = std::make_unique<Letter>();
  } else {
    letter = std::move(spare_.back());
    spare_.pop_back();
  }
  letter->arrives = arrives;
  letter->number = ++posted_;
  copy(content, letter->content);
  const auto before = [](const std::unique_ptr<Letter>& a,
                         const std::unique_ptr<Letter>& b) {
    return a->arrives != b->arrives ? a->arrives > b->arrives : a->number > b->number;
  };
  to.letters.insert(std::lower_bound(to.letters.begin(), to.letters.end(), letter, before),
                    std::move(letter));
}

bool FaultNetwork::receive(int site, Way way, Incoming& into) {
  Line& from = line(site, way);
  if (from.letters.empty() || from.letters.back()->arrives > clock_.now()) return false;
  copy(from.letters.back()->content, into);
  spare_.push_back(std::move(from.letters.back()));
  from.letters.pop_back();
  return true;
}

void FaultNetwork::forget_to(int node) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const bool to_site = i % 2 == kToSite;
    if (node < 0 ? !to_site : to_site && static_cast<int>(i / 2) == node)
      lines_[i].letters.clear();
  }
}

TimePoint FaultNetwork::next_delivery(TimePoint now) const noexcept {
  TimePoint next = TimePoint::max();
  for (const Line& each : lines_)
    for (auto letter = each.letters.rbegin(); letter != each.letters.rend(); ++letter)
      if ((*letter)->arrives > now) {
        next = std::min(next, (*letter)->arrives);
        break;
      }
  return next;
}

}  // namespace trestle
