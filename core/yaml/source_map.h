#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/yaml/unit_class.h"

namespace trestle::yaml {

/// Where every field of a configuration stood. Filled by read_yaml.
///
/// A path is made of field names of the messages in proto/config/, joined by dots, and
/// of `[i]` from 0 behind a repeated field; the field of a oneof stands in it like any
/// other, or is left out where the oneof is a `kind` (`sites[0].compensator.memory`):
///
///     numerical.frame.members[2].section
///     sites[0].compensator.ats.expected_delay
///     sites[0].rig.actuators[1].second_order.frequency
///
/// Catalogues throw SettingError with such a path. An entry that has a key may be named by
/// it in place of its index: `sites.west.compensator`,
/// `sites[0].limits.interface.floor_w.x`.
class SourceMap {
 public:
  /// `file:line:col` of a field: of its value where that is a single one, else of its key;
  /// `--set path` where an override gave it; of its nearest known ancestor where nobody
  /// gave it. Empty while nothing was read.
  std::string location(const std::string& path) const;

  /// What the unit of a number was. kNone for plain numbers and for absent fields.
  UnitClass unit_class(const std::string& path) const;

  /// One line per problem, `file:line:col: what`, in file order.
  std::vector<std::string> explain(const SettingError& error) const;

  /// A place as the reader notes it; line 0: the source as a whole.
  struct Place {
    std::size_t source = 0;
    int line = 0;
    int column = 0;
    UnitClass unit_class = UnitClass::kNone;

    auto operator<=>(const Place&) const = default;
  };

  // For the reader.
  void set_sources(std::vector<std::string> names) { sources_ = std::move(names); }
  void note(const std::string& path, const Place& place) { places_[path] = place; }
  /// `by_key` (`sites.west`) is another name of `by_index` (`sites[0]`).
  void add_alias(const std::string& by_key, const std::string& by_index);

 private:
  std::string canonical(const std::string& path) const;
  std::string with_kind(const std::string& head, const std::string& next) const;
  const Place* nearest(const std::string& path) const;

  std::vector<std::string> sources_;
  std::map<std::string, Place> places_;
  std::map<std::string, std::string> keys_;
};

}  // namespace trestle::yaml
