#include "core/bus/connection_count.h"

#include <algorithm>

namespace trestle::bus {
namespace {

// For everything else that the process has open.
constexpr std::size_t kReserve = 64;
constexpr std::size_t kFewest = 8;

}  // namespace

ConnectionLimits connection_limits(std::size_t descriptors) noexcept {
  const ConnectionLimits usual;
  const std::size_t left = descriptors > kReserve ? descriptors - kReserve : 0;
  ConnectionLimits limits;
  limits.all = std::clamp(left, kFewest, usual.all);
  limits.of_one = std::min(usual.of_one, std::max<std::size_t>(limits.all / 2, 1));
  return limits;
}

std::string ConnectionCount::admit(int connection, const std::string& from) {
  forget(connection);  // the kernel reuses closed descriptors
  const auto others = of_.find(from);
  const std::size_t own = others == of_.end() ? 0 : others->second;
  std::string why;
  if (own >= limits_.of_one)
    why = "it has " + std::to_string(own) +
          " connections already, as many as one address may have";
  else if (open_.size() >= limits_.all)
    why = "there are " + std::to_string(open_.size()) +
          " connections already, as many as this end keeps";
  if (!why.empty()) {
    sent_away_.insert(connection);
    return why;
  }
  open_[connection] = from;
  ++of_[from];
  return {};
}

bool ConnectionCount::gone(int connection) {
  const bool away = sent_away_.contains(connection);
  forget(connection);
  return away;
}

void ConnectionCount::forget(int connection) {
  sent_away_.erase(connection);
  const auto found = open_.find(connection);
  if (found == open_.end()) return;
  const auto own = of_.find(found->second);
  if (own != of_.end() && --own->second == 0) of_.erase(own);
  open_.erase(found);
}

}  // namespace trestle::bus
