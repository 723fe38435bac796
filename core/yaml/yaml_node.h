#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/source_position.h"

namespace trestle::yaml {

enum class YamlKind { kNull, kScalar, kSequence, kMapping };

struct YamlEntry;

/// A YAML value with its position. The mark of a scalar is its own; that of a mapping or a
/// list is the key before it.
struct YamlNode {
  YamlKind shape = YamlKind::kNull;
  SourcePosition mark;
  std::string text;                ///< of a scalar
  std::vector<YamlNode> items;     ///< of a sequence
  std::vector<YamlEntry> entries;  ///< of a mapping, in file order, no key twice

  /// The value behind a key, or null.
  const YamlNode* find(std::string_view key) const;
  YamlNode* find(std::string_view key);
  void erase(std::string_view key);

  static YamlNode scalar(std::string text, SourcePosition mark);
  static YamlNode mapping(SourcePosition mark);
};

struct YamlEntry {
  std::string key;
  SourcePosition mark;
  YamlNode value;
};

/// How a shape is called in a message: `a list`.
std::string_view shape_name(YamlKind shape);

}  // namespace trestle::yaml
