#include "composition/processes/rig_guard.h"

#include <utility>

namespace trestle {

std::string RigGuard::add(SiteAdapter& rig, const RigIdentity& identity,
                          const std::string& records, const std::string& serves) {
  Rig added{&rig, nullptr, nullptr};
  if (rig.description().real_equipment) {
    added.place = std::make_unique<RigPlace>(identity, serves);
    added.latch = std::make_unique<FaultLatch>(added.place->folder(), records);
  } else {
    added.latch = std::make_unique<FaultLatch>(records);
  }
  rigs_.push_back(std::move(added));
  return rigs_.back().latch->reason();
}

void RigGuard::start() {
  if (!rigs_.empty()) last_words_ = std::make_unique<CrashHandler>(hold_all, this);
}

void RigGuard::hold_all(void* guard) noexcept {
  for (const Rig& rig : static_cast<RigGuard*>(guard)->rigs_) rig.adapter->hold();
}

std::string RigGuard::follow(std::size_t index, const SiteNode& site) {
  return rigs_[index].latch->follow(site.state(), site.reason());
}

}  // namespace trestle
