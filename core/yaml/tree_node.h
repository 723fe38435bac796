#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/mark.h"

namespace trestle::yaml {

enum class Shape { kNull, kScalar, kSequence, kMapping };

struct TreeEntry;

/// A YAML value that remembers where it stood. A scalar's mark is its own; a mapping's or a
/// list's is the key before it, where people look for it.
struct TreeNode {
  Shape shape = Shape::kNull;
  Mark mark;
  std::string text;                ///< of a scalar
  std::vector<TreeNode> items;     ///< of a sequence
  std::vector<TreeEntry> entries;  ///< of a mapping, in file order, no key twice

  /// The value behind a key, or null.
  const TreeNode* find(std::string_view key) const;
  TreeNode* find(std::string_view key);
  void erase(std::string_view key);

  static TreeNode scalar(std::string text, Mark mark);
  static TreeNode mapping(Mark mark);
};

struct TreeEntry {
  std::string key;
  Mark mark;
  TreeNode value;
};

/// How a shape is called in a message: `a list`.
std::string_view shape_name(Shape shape);

}  // namespace trestle::yaml
