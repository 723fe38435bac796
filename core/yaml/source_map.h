#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/base/setting_error.h"
#include "core/yaml/unit_class.h"

namespace trestle {

/// The position of every field of a configuration. Filled by read_yaml.
///
/// A path is made of field names of the messages in proto/config.proto, joined by dots, and
/// of `[i]` from 0 behind a repeated field; the field of a oneof is part of the path like
/// any other, or is left out if the oneof is a `kind` (`sites[0].compensator.memory`):
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
  /// Returns `file:line:col` of a field: of a single value, otherwise of its key; `--set
  /// path` if an override set it; that of its nearest known ancestor if it is not given.
  /// Empty before anything was read.
  std::string location(const std::string& path) const;

  /// Returns the class of a number's unit. kNone for plain numbers and for absent fields.
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

}  // namespace trestle
