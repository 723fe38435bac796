#include "studies/rehearsal/scheduled_fault.h"

#include <array>
#include <cstdio>

namespace trestle::rehearsal {
namespace {

std::string text(const char* format, double value) {
  char digits[48];
  std::snprintf(digits, sizeof digits, format, value);
  return digits;
}

std::string for_so_long(const ScheduledFault& fault) {
  return " for " + text("%.3g s", seconds(fault.duration));
}

std::string share(const ScheduledFault& fault) {
  return text("%.0f %%", 100.0 * fault.amount);
}

}  // namespace

std::string_view name(FaultType sort) noexcept {
  static constexpr std::array<std::string_view, kFaultSorts> kNames{
      "delay",   "loss",     "duplication", "reordering",    "partition",
      "one-way", "stall",    "kill",        "power-loss",    "disk-full",
      "garbage", "nonsense", "clock-step",  "operator-stop", "operator-hold"};
  return kNames[static_cast<std::size_t>(sort)];
}

std::string_view name(SensorFault garbage) noexcept {
  static constexpr std::array<std::string_view, kGarbages> kNames{
      "NaN", "infinity", "a spike", "stuck values", "its own protection"};
  return kNames[static_cast<std::size_t>(garbage)];
}

std::string_view name(InvalidMessage nonsense) noexcept {
  static constexpr std::array<std::string_view, kNonsenses> kNames{
      "bytes that are no message",   "a target that is no number",
      "a target beyond every limit", "a step far ahead",
      "a step of another session",   "a step with vectors of another length"};
  return kNames[static_cast<std::size_t>(nonsense)];
}

std::string sentence(const ScheduledFault& fault, const std::vector<std::string>& sites) {
  const std::string who = fault.node < 0
                              ? "the integrator"
                              : "site " + sites[static_cast<std::size_t>(fault.node)];
  const std::string line = fault.node < 0 ? std::string()
                                          : " between integrator and " +
                                                sites[static_cast<std::size_t>(fault.node)];
  switch (fault.sort) {
    case FaultType::kDelay:
      return "up to " + text("%.3g s", fault.amount) + " of delay" + line +
             for_so_long(fault);
    case FaultType::kLoss:
      return share(fault) + " of the messages" + line + " are lost" + for_so_long(fault);
    case FaultType::kDuplication:
      return share(fault) + " of the messages" + line + " come twice" + for_so_long(fault);
    case FaultType::kReordering:
      return share(fault) + " of the messages" + line + " are overtaken" +
             for_so_long(fault);
    case FaultType::kPartition:
      return "nothing passes" + line + for_so_long(fault);
    case FaultType::kOneWay:
      return "nothing passes " + std::string(fault.detail == 0 ? "to " : "from ") + who +
             for_so_long(fault);
    case FaultType::kStall:
      return who + " stands still" + for_so_long(fault);
    case FaultType::kKill:
      return who + " is killed, and started again after " +
             text("%.3g s", seconds(fault.duration));
    case FaultType::kPowerLoss:
      return who + " loses its power, and is started again after " +
             text("%.3g s", seconds(fault.duration));
    case FaultType::kDiskFull:
      return "the disk of " + who + " has room for " + text("%.0f", fault.amount) +
             " bytes more";
    case FaultType::kGarbage:
      return "the transducers of " + who + " give " +
             std::string(name(static_cast<SensorFault>(fault.detail))) + " for " +
             text("%.0f", fault.amount) + " reads";
    case FaultType::kNonsense:
      return who + " is sent " +
             std::string(name(static_cast<InvalidMessage>(fault.detail)));
    case FaultType::kClockStep:
      return "the wall clock of " + who + " steps by " + text("%.3g s", fault.amount);
    case FaultType::kOperatorStop:
      return "an operator stops the test at " + who;
    case FaultType::kOperatorHold:
      return "an operator holds the test at " + who + for_so_long(fault);
  }
  return {};
}

}  // namespace trestle::rehearsal
