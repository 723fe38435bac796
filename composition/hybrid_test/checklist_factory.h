#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include <string>
#include <vector>

#include "core/types/arming_status.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"

namespace trestle::config {
class ChecklistEntry;
}  // namespace trestle::config

namespace trestle::composition {

using ChecklistEntries = google::protobuf::RepeatedPtrField<config::ChecklistEntry>;

/// The transducers of a site that items of a checklist may compare.
struct ChecklistRig {
  std::string site;
  int actuators = 0;                ///< 0: not known here
  std::vector<DofKind> kinds = {};  ///< of the actuators; empty: not known here
  bool further = true;              ///< it may have channels that are not known here
};

/// Reads the checklist of a test, in which a reading is named as `west.1.force`.
/// @param rigs  of the test's sites
/// @param path  of the key in the configuration
/// @throws SettingError with everything that is wrong: an item that is empty, too long,
/// there
///         twice, or both asked and read; an unknown site or transducer; a bound that is
///         missing, not above zero, or of another dimension than the reading
std::vector<ChecklistItem> make_checklist(const ChecklistEntries& entries,
                                          const std::vector<ChecklistRig>& rigs,
                                          const std::string& path);

/// The same of a site's own file, in which a reading may be named as `1.force`, too.
std::vector<RequiredItem> make_site_checklist(const ChecklistEntries& entries,
                                              const ChecklistRig& rig,
                                              const std::string& path);

}  // namespace trestle::composition
