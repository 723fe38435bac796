#include "adapters/decorators/interlocked_rig.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/setting_error.h"
#include "core/base/suggestion.h"

namespace trestle::decorators {
namespace {

constexpr std::string_view kContactUnit = "0/1";
// A channel of the record ends with its unit, in letters that fit a column.
constexpr std::string_view kContactEnding = "_0_1";
constexpr double kClosed = 0.5;

std::string contact_name(const std::string& channel) {
  return channel.ends_with(kContactEnding)
             ? channel.substr(0, channel.size() - kContactEnding.size())
             : channel;
}

const char* word_of(InterlockReaction reaction) {
  switch (reaction) {
    case InterlockReaction::kRamp:
      return "ramp";
    case InterlockReaction::kRelease:
      return "release";
    default:
      return "hold";
  }
}

}  // namespace

InterlockedRig::InterlockedRig(std::unique_ptr<SiteAdapter> rig, MappedContacts contacts,
                               const std::string& path)
    : rig_(std::move(rig)) {
  const RigDescription is = rig_->description();
  const std::size_t by_itself = is.extra.size() - static_cast<std::size_t>(is.inputs);
  std::vector<SettingIssue> problems;
  std::vector<std::string> known;
  for (const Channel& each : is.extra)
    if (each.unit == kContactUnit) known.push_back(contact_name(each.name));
  for (MappedInput& input : contacts.inputs) {
    const auto found = std::find_if(is.extra.begin(), is.extra.end(), [&](const auto& one) {
      return one.unit == kContactUnit && contact_name(one.name) == input.name;
    });
    if (found == is.extra.end()) {
      problems.push_back(
          {path + "interlocks[" + std::to_string(&input - contacts.inputs.data()) + "]",
           known.empty()
               ? "the rig has no digital input; take the interlock out, or use an "
                 "adapter that reads contacts"
               : "the rig has no digital input " + quote(input.name) + "; " +
                     suggestion(input.name, known)});
      continue;
    }
    const auto channel = static_cast<std::size_t>(found - is.extra.begin());
    inputs_.push_back({std::move(input), channel, channel >= by_itself});
  }
  for (MappedOutput& output : contacts.outputs) {
    const auto found = std::find(is.outputs.begin(), is.outputs.end(), output.name);
    if (found == is.outputs.end()) {
      problems.push_back(
          {path + "outputs[" + std::to_string(&output - contacts.outputs.data()) + "]",
           is.outputs.empty()
               ? "the rig has no digital output; take it out, or use an adapter that sets "
                 "contacts"
               : "the rig has no digital output " + quote(output.name) + "; " +
                     suggestion(output.name, is.outputs)});
      continue;
    }
    outputs_.push_back(
        {std::move(output), 1U << static_cast<unsigned>(found - is.outputs.begin())});
  }
  if (!problems.empty()) throw SettingError(std::move(problems));
}

/// What the site told before stands again: stop() of a plug-in opens all outputs. The site
/// may tell something else meanwhile, on another thread: what it told last stands.
void InterlockedRig::prepare(const RigRun& run) {
  active_ = -1;
  rig_->prepare(run);
  if (outputs_.empty()) return;
  std::uint32_t said = 0;
  do {
    said = told_.load();
    rig_->set_outputs(said);
  } while (said != told_.load());
}

InterlockedRig::Level InterlockedRig::level_of(
    const Input& input, std::span<const double> channels) const noexcept {
  if (input.channel >= channels.size()) return Level::kNotKnown;
  const double value = channels[input.channel];
  const bool old = !input.by_itself && rig_->stale_reads() > 0;
  if (old || !std::isfinite(value)) return Level::kNotKnown;
  return value >= kClosed ? Level::kClosed : Level::kOpen;
}

AdapterStatus InterlockedRig::read(TimePoint now, Measurement& sensed) noexcept {
  const AdapterStatus status = rig_->read(now, sensed);
  const std::span<const double> channels = rig_->auxiliary_channels();
  int active = -1;
  Level as = Level::kOpen;
  for (std::size_t i = 0; i < inputs_.size() && status == AdapterStatus::kOk; ++i) {
    const MappedInput& is = inputs_[i].is;
    const Level level = level_of(inputs_[i], channels);
    if (level == (is.active_closed ? Level::kOpen : Level::kClosed)) continue;
    // The first of those with the strongest reaction.
    if (active >= 0 && is.reaction <= inputs_[static_cast<std::size_t>(active)].is.reaction)
      continue;
    active = static_cast<int>(i);
    as = level;
  }
  level_.store(as, std::memory_order_relaxed);
  active_.store(active, std::memory_order_release);
  return status;
}

ActiveInterlock InterlockedRig::active_interlock() const noexcept {
  const int active = active_.load(std::memory_order_acquire);
  if (active < 0) return {};
  return {inputs_[static_cast<std::size_t>(active)].is.reaction, active};
}

std::string InterlockedRig::diagnostic_message() const {
  const int active = active_.load(std::memory_order_acquire);
  if (active < 0) return rig_->diagnostic_message();
  const MappedInput& is = inputs_[static_cast<std::size_t>(active)].is;
  const Level level = level_.load(std::memory_order_relaxed);
  const char* const found = level == Level::kNotKnown ? "was not read in this tick"
                            : level == Level::kClosed ? "is closed"
                                                      : "is open";
  return "interlock " + is.name + " " + found +
         " (active: " + (is.active_closed ? "closed" : "open") +
         ", reaction: " + word_of(is.reaction) + "); see to the equipment";
}

void InterlockedRig::report(SiteSignals signals) noexcept {
  std::uint32_t closed = 0;
  for (const Output& output : outputs_) {
    const bool active = output.is.running ? signals.running : signals.ready;
    if (active == output.is.active_closed) closed |= output.bit;
  }
  told_.store(closed);
  if (!outputs_.empty()) rig_->set_outputs(closed);
}

}  // namespace trestle::decorators
