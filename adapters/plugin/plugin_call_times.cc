#include "adapters/plugin/plugin_call_times.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace trestle::plugin {
namespace {

// An ordinary host takes a thread away now and then; where real equipment is, it must not.
constexpr std::uint32_t kSimulatedOverruns = 2;
// Real equipment may be ahead of time by so many ticks and so long; a clock that follows
// another one by a few per cent is not.
constexpr int kMostTicksAhead = 10;
constexpr Duration kFarthestAhead = std::chrono::milliseconds(50);
constexpr std::int64_t kShareThatCounts = 10;  // all but a tenth of a tick

double milliseconds(Duration time) noexcept {
  return 1e3 * seconds(time);
}

}  // namespace

void PluginCallTimes::CallDuration::add(Duration spent) noexcept {
  last = spent;
  if (spent.count() > longest_ns.load(std::memory_order_relaxed))
    longest_ns.store(spent.count(), std::memory_order_relaxed);
}

PluginCallTimes::PluginCallTimes(std::unique_ptr<const Clock> clock,
                                 const std::string& name, bool real_equipment,
                                 std::uint32_t overruns)
    : clock_(std::move(clock)),
      name_(name),
      real_equipment_(real_equipment),
      max_overruns_(real_equipment ? overruns : std::max(overruns, kSimulatedOverruns)),
      timed_(real_equipment) {
  assert(clock_ != nullptr);
}

void PluginCallTimes::start(Duration tick, bool wall_clock) noexcept {
  tick_ = tick;
  timed_ = wall_clock || real_equipment_;
  overruns_in_a_row_ = 0;
  written_at_ = clock_->now();
  ahead_ = {};
  read_.longest_ns = 0;
  write_.longest_ns = 0;
}

bool PluginCallTimes::is_ahead_of_time(TimePoint now, FaultMessage& why) noexcept {
  if (!real_equipment_) return false;
  ahead_ += tick_ - tick_ / kShareThatCounts - (now - written_at_);
  ahead_ = std::max(ahead_, Duration::zero());
  written_at_ = now;
  if (ahead_ <= kFarthestAhead + kMostTicksAhead * tick_) return false;
  why.write(
      "the test drives the real equipment of the plug-in %s faster than time; "
      "take mode real-time, continuous or pseudo-dynamic, and clock: wall",
      name_.c_str());
  return true;
}

bool PluginCallTimes::is_overrun(FaultMessage& why) noexcept {
  if (!timed_) return false;
  const Duration spent = read_.last + write_.last;
  if (spent <= tick_) {
    overruns_in_a_row_ = 0;
    return false;
  }
  if (++overruns_in_a_row_ <= max_overruns_) return false;
  why.write(
      "the plug-in %s overran %u ticks in a row, the last in %.3f ms (read %.3f, "
      "write %.3f), with a tick of %.3f ms and %u overruns allowed",
      name_.c_str(), overruns_in_a_row_, milliseconds(spent), milliseconds(read_.last),
      milliseconds(write_.last), milliseconds(tick_), max_overruns_);
  return true;
}

std::string PluginCallTimes::slow_call() const {
  for (const auto& [function, spent] : {std::pair{"read", &read_}, {"write", &write_}}) {
    const Duration longest{spent->longest_ns.load(std::memory_order_relaxed)};
    if (longest > tick_)
      return std::string(function) + "() of the plug-in " + name_ + " took up to " +
             std::to_string(milliseconds(longest)) + " ms, with a tick of " +
             std::to_string(milliseconds(tick_)) + " ms";
  }
  return {};
}

}  // namespace trestle::plugin
