#include "composition/processes/rig_guard.h"

#include <stdexcept>
#include <utility>

#include "composition/processes/rig_diary_file.h"

namespace trestle::composition {

site_node::EarlierLife RigGuard::add(SiteAdapter& rig, const RigIdentity& identity,
                                     const std::string& records,
                                     const std::string& serves) {
  Rig added{&rig, identity, nullptr, nullptr};
  const bool real = rig.description().real_equipment;
  if (real) {
    refuse_second(identity);
    added.place = std::make_shared<RigPlace>(identity, serves);
    const std::string& place = added.place->folder();
    added.fault = std::make_unique<FaultKeeper>(
        std::make_unique<site_node::FaultLatch>(place, records),
        std::make_unique<DriveQuestionFile>(place), added.place);
  } else {
    added.fault = std::make_unique<FaultKeeper>(
        std::make_unique<site_node::FaultLatch>(records), nullptr);
  }
  rigs_.push_back(std::move(added));
  Rig& last = rigs_.back();
  FaultKeeper* const fault = last.fault.get();
  RigDiaryFile::Settings diary{.folder = records};
  if (real)
    diary = {.folder = last.place->folder(), .on_motion = [fault] {
               fault->discard_reply();
             }};
  auto kept = std::make_unique<RigDiaryFile>(std::move(diary));
  last.notice = kept->notice();
  return {fault->earlier_fault(), fault->told_drive(), std::move(kept)};
}

/// The claim is of the process: two of its sites may have one rig under two names.
void RigGuard::refuse_second(const RigIdentity& identity) const {
  for (const Rig& rig : rigs_)
    if (!identity.equipment.empty() && rig.identity.equipment == identity.equipment)
      throw std::runtime_error(
          driven_already(identity, "by site " + rig.identity.site + " of the same test"));
}

void RigGuard::start() {
  if (!rigs_.empty()) last_words_ = std::make_unique<host::CrashHandler>(hold_all, this);
}

void RigGuard::hold_all(void* guard) noexcept {
  for (const Rig& rig : static_cast<RigGuard*>(guard)->rigs_) rig.adapter->hold();
}

std::string RigGuard::follow(std::size_t index, const site_node::SiteNode& site) {
  Rig& rig = rigs_[index];
  std::string trouble = std::exchange(rig.notice, {});
  const std::string more = rig.fault->follow(site);
  return trouble + (trouble.empty() || more.empty() ? "" : "; ") + more;
}

void RigGuard::discard_told_drives() {
  for (const Rig& rig : rigs_) rig.fault->discard_reply();
}

}  // namespace trestle::composition
