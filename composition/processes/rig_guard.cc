#include "composition/processes/rig_guard.h"

#include <stdexcept>
#include <utility>

#include "composition/processes/rig_diary_file.h"

namespace trestle::composition {

site_node::EarlierLife RigGuard::add(SiteAdapter& rig, const RigIdentity& identity,
                                     const std::string& records,
                                     const std::string& serves) {
  Rig added{&rig, identity, nullptr, nullptr, nullptr};
  if (rig.description().real_equipment) {
    refuse_second(identity);
    added.place = std::make_unique<RigPlace>(identity, serves);
    added.latch = std::make_unique<site_node::FaultLatch>(added.place->folder(), records);
    added.question = std::make_unique<DriveQuestionFile>(added.place->folder());
  } else {
    added.latch = std::make_unique<site_node::FaultLatch>(records);
  }
  rigs_.push_back(std::move(added));
  Rig& last = rigs_.back();
  DriveQuestionFile* const question = last.question.get();
  RigDiaryFile::Settings diary{.folder = records};
  if (question != nullptr)
    diary = {.folder = last.place->folder(), .on_motion = [question] {
               question->discard_reply();
             }};
  auto kept = std::make_unique<RigDiaryFile>(std::move(diary));
  last.notice = kept->notice();
  return {last.latch->reason(), question == nullptr ? std::nullopt : question->told(),
          std::move(kept)};
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
  const auto add = [&trouble](const std::string& more) {
    trouble += (trouble.empty() || more.empty() ? "" : "; ") + more;
  };
  add(rig.latch->follow(site.state(), site.reason()));
  if (rig.question != nullptr) add(rig.question->follow(site));
  return trouble;
}

void RigGuard::discard_told_drives() {
  for (const Rig& rig : rigs_)
    if (rig.question != nullptr) rig.question->discard_reply();
}

}  // namespace trestle::composition
