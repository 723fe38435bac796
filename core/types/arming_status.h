#pragma once

#include <string>
#include <vector>

namespace trestle {

/// An item of the checklist before arming, and the person who confirmed it.
struct ChecklistItem {
  std::string text;
  std::string by = {};  ///< empty: open
  std::string at = {};  ///< UTC, as 2026-11-27T09:12:03.120Z; empty: open
  bool operator==(const ChecklistItem&) const = default;
};

/// What an integrator still needs before it arms real equipment, or resumes a test with it.
struct ArmingStatus {
  std::vector<ChecklistItem> checklist{};
  bool required = false;              ///< it does neither while an item is open
  int words = 1;                      ///< persons who must give the command
  std::vector<std::string> armed_by{};  ///< those who did so far
  bool operator==(const ArmingStatus&) const = default;
};

}  // namespace trestle
