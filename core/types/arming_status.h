#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

/// A bound on what a transducer of a site reads while its rig is not driven.
struct ReadingBound {
  std::string site{};     ///< empty: no reading is compared
  std::string channel{};  ///< "1.force", by the number or the name of the actuator; "oil"
  double within = 0.0;    ///< largest magnitude of the mean [unit of the transducer]
  std::optional<double> mean{};       ///< over the last second; no value: none is known
  std::optional<double> deviation{};  ///< of the same readings
  std::string unit{};                 ///< as of RigReading; empty: no reading yet
  bool operator==(const ReadingBound&) const = default;

  bool is_kept() const noexcept { return mean && std::abs(*mean) <= within; }
};

/// An item of the checklist before arming, and the person who confirmed or waived it.
struct ChecklistItem {
  std::string text;
  std::string by = {};  ///< empty: open
  std::string at = {};  ///< UTC, as 2026-11-27T09:12:03.120Z; empty: open
  /// Why that person lets it be left undone; empty: it is open, or done.
  std::string waived = {};
  /// Of an item that no person confirms: it is done while the bound is kept.
  ReadingBound reading = {};
  bool operator==(const ChecklistItem&) const = default;

  /// "open", "done", "waived"
  const char* state() const noexcept {
    return by.empty() ? "open" : waived.empty() ? "done" : "waived";
  }
};

/// An actuator as agreed with its site: what it may do at most, and what delay of it the
/// loop bears. Infinite: no limit; NaN: not computed.
struct ArmingActuator {
  std::string name;
  std::string unit = "m";  ///< of a displacement: m, rad
  double displacement = std::numeric_limits<double>::infinity();  ///< [unit]
  double rate = std::numeric_limits<double>::infinity();          ///< [unit/s]
  double force = std::numeric_limits<double>::infinity();         ///< [N, N.m]
  double delay = std::numeric_limits<double>::quiet_NaN();        ///< [s]
  bool operator==(const ArmingActuator&) const = default;
};

/// What a transducer reads before its rig is armed.
struct ArmingReading {
  std::string channel;
  std::string unit{};      ///< as of RigReading
  double mean = 0.0;       ///< over the last second [unit]
  double deviation = 0.0;  ///< [unit]; NaN: not known
  /// Of the start-up checks, on the magnitude of the mean [unit]; infinite: none.
  double bound = std::numeric_limits<double>::infinity();
  bool stops_closed = false;  ///< as of RigReading
  bool operator==(const ArmingReading&) const = default;

  bool is_within() const noexcept { return std::abs(mean) <= bound; }
};

/// What a person reads of a site before its rig is armed.
struct ArmingSite {
  std::string name;
  bool real_equipment = false;
  bool twin = false;  ///< it stands for a laboratory that does not take part
  /// How well its clock is known [s]; NaN: not compared.
  double clock_bound = std::numeric_limits<double>::quiet_NaN();
  std::vector<ArmingActuator> actuators{};
  /// Empty: it has reported none. Further channels of the rig have no deviation.
  std::vector<ArmingReading> readings{};
  /// A sentence for each calibration that has expired.
  std::vector<std::string> expired{};
  bool operator==(const ArmingSite&) const = default;
};

/// What an integrator still needs before it arms real equipment, or resumes a test with it.
struct ArmingStatus {
  std::vector<ChecklistItem> checklist{};
  bool required = false;                ///< it does neither while an item is open
  int words = 1;                        ///< persons who must give the command
  std::vector<std::string> armed_by{};  ///< those who did so far
  std::vector<ArmingSite> sites{};      ///< before it arms; else empty
  bool operator==(const ArmingStatus&) const = default;
};

}  // namespace trestle
