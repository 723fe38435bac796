#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/types/arming_status.h"
#include "core/types/audit_entry.h"
#include "core/types/message.h"
#include "core/types/rig_report.h"

namespace trestle::integrator_node {

/// What people confirm before real equipment is armed, or resumed: the checklist, and the
/// command of one or two persons. Kept in memory until the record is open. For the cold
/// path only.
class ArmingList {
 public:
  enum class Command : std::uint8_t { kArm, kResume };

  /// @param list     without answers
  /// @param command  of the persons
  explicit ArmingList(ArmingStatus list, Command command = Command::kArm)
      : now_(std::move(list)), command_(command) {}

  /// Adds the items of a site's own file; those that are there already stay as they are.
  void add_items(const std::string& site, const std::vector<RequiredItem>& items);
  /// Compares what the transducers of a site read with the bounds on them.
  /// @param readings  of its last heartbeat; empty: none are known
  void take_readings(const std::string& site, const std::vector<RigReading>& readings);
  /// Waives the readings of a site whose rig is simulated: it has none at rest.
  /// @param why  "NOT APPLICABLE: ..."
  void mark_not_applicable(const std::string& site, const std::string& why);
  /// The site begins again, perhaps with another rig: none of its readings is known, and
  /// those that were not applicable are asked for.
  void forget_readings(const std::string& site);
  /// Confirms an item. @returns the reason why not; empty: confirmed
  std::string confirm(const std::string& by, const std::string& item,
                      const std::string& at);
  /// Lets an item be left undone. @param reason  must not be empty
  /// @returns the reason why not; empty: it is waived
  std::string waive(const std::string& by, const std::string& item,
                    const std::string& reason, const std::string& at);
  /// Takes the command. @returns the reason why not; empty: it counts
  std::string add_word(const std::string& by);
  /// True if as many persons gave it as must.
  bool is_armed() const noexcept;
  /// "ada@lab", "ada@lab and bob@lab": those who gave it.
  std::string persons() const;
  /// Begins again: the persons must give it again; confirmed items stay.
  void forget_words() noexcept { now_.armed_by.clear(); }

  const ArmingStatus& status() const noexcept { return now_; }
  /// Returns the entries of the audit about items that were confirmed or waived since the
  /// last call, and once about those that stayed open beside others.
  /// @param by  the person who gave the command
  std::vector<AuditEntry> take_entries(const std::string& by);

 private:
  std::string close(const std::string& item, const ChecklistItem& answer);
  std::string verb() const;
  std::string participle() const;
  std::string open_items() const;

  ArmingStatus now_;
  Command command_;
  std::vector<std::string> audited_;  // texts of items
};

}  // namespace trestle::integrator_node
