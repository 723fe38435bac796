#include "composition/processes/rig_claim.h"

#include <unistd.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "composition/processes/equipment_claims.h"
#include "composition/processes/rig_facts.h"
#include "core/base/setting_error.h"
#include "core/host/person.h"
#include "core/host/state_folder.h"

namespace trestle::composition {
namespace {

constexpr std::chrono::seconds kOpeningPatience(5);
constexpr std::chrono::milliseconds kBetweenLooks(250);

/// @returns what the place of the rig says, if that is of this process; otherwise empty
RigFacts facts_of_holder(const RigIdentity& identity, pid_t process) {
  try {
    const RigFacts facts = read_facts(place_of(identity));
    if (process > 0 && facts.process == std::to_string(process)) return facts;
  } catch (const std::runtime_error&) {
    // Without a state folder nobody drives from it.
  }
  return {};
}

RigFacts facts_of_lock(const RigIdentity& identity) {
  try {
    return facts_of_driver(place_of(identity));
  } catch (const std::runtime_error&) {
    return {};  // without a state folder nobody drives from it
  }
}

/// The lock's file and the facts are found by those of one state folder only.
std::string holder_elsewhere(const host::HostClaim::Holder& other) {
  const std::string who = other.process > 0
                              ? "process " + std::to_string(other.process) + " of " +
                                    host::person_behind(other.process, other.user).text
                              : "a process that this host does not name";
  std::string state = "this process";
  try {
    state = host::state_folder();
  } catch (const std::runtime_error&) {
    // The sentence needs none.
  }
  return "by " + who + ", which has another state folder than " + state +
         " or only opens the rig, as trestle adapter check does";
}

std::unique_ptr<RigClaim> claimed(const RigIdentity& identity, const std::string& path) {
  if (identity.equipment.empty() ||
      EquipmentClaims::of_this_process().is_simulated(identity.equipment))
    return nullptr;
  try {
    return std::make_unique<RigClaim>(identity);
  } catch (const std::runtime_error& error) {
    throw SettingError(path, error.what());
  }
}

}  // namespace

std::unique_ptr<RigClaim> claim_rig(const config::SiteFile& file) {
  return claimed(identity_of(file), "adapter");
}

std::unique_ptr<RigClaim> claim_rig(const config::Site& site, const std::string& path) {
  return claimed(identity_of(site), path + ".adapter");
}

void keep_if_real(std::unique_ptr<RigClaim>& claim, bool real_equipment) {
  if (claim == nullptr || real_equipment) return;
  EquipmentClaims::of_this_process().note_simulated(claim->equipment());
  claim.reset();
}

std::string driven_already(const RigIdentity& identity, const std::string& by) {
  const std::string of = identity.site.empty() ? "" : " of site " + identity.site;
  return "the rig" + of + " (" + identity.rig + ") is driven already: " + by +
         "; one process drives a rig, so end that one first";
}

RigClaim::RigClaim(const RigIdentity& identity) : equipment_(identity.equipment) {
  if (identity.equipment.empty()) return;
  const auto until = std::chrono::steady_clock::now() + kOpeningPatience;
  for (;;) {
    claim_ = EquipmentClaims::of_this_process().take(equipment_);
    const std::optional<host::HostClaim::Holder>& other = claim_->other();
    if (!other) {
      // Not of a site of this very process, which shares the claim.
      const RigFacts driver =
          claim_.use_count() == 1 ? facts_of_lock(identity) : RigFacts{};
      if (driver.process.empty()) return;
      throw std::runtime_error(
          driven_already(identity, "by process " + driver.process + " of " + driver.by +
                                       ", which serves " + driver.serves));
    }
    // This process itself, where another thread gives it back just now, is no other.
    const RigFacts known =
        other->process == getpid() ? RigFacts{} : facts_of_holder(identity, other->process);
    if (!known.process.empty())
      throw std::runtime_error(
          driven_already(identity, "by process " + known.process + " of " + known.by +
                                       ", which serves " + known.serves));
    if (std::chrono::steady_clock::now() >= until)
      throw std::runtime_error(driven_already(identity, holder_elsewhere(*other)));
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace trestle::composition
