#include "core/yaml/tree_node.h"

#include <algorithm>
#include <utility>

namespace trestle::yaml {

const TreeNode* TreeNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const TreeEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

TreeNode* TreeNode::find(std::string_view key) {
  return const_cast<TreeNode*>(std::as_const(*this).find(key));
}

void TreeNode::erase(std::string_view key) {
  std::erase_if(entries, [&](const TreeEntry& entry) { return entry.key == key; });
}

TreeNode TreeNode::scalar(std::string text, Mark mark) {
  TreeNode node;
  node.shape = Shape::kScalar;
  node.mark = mark;
  node.text = std::move(text);
  return node;
}

TreeNode TreeNode::mapping(Mark mark) {
  TreeNode node;
  node.shape = Shape::kMapping;
  node.mark = mark;
  return node;
}

std::string_view shape_name(Shape shape) {
  switch (shape) {
    case Shape::kScalar:
      return "a single value";
    case Shape::kSequence:
      return "a list";
    case Shape::kMapping:
      return "a mapping";
    default:
      return "empty";
  }
}

}  // namespace trestle::yaml
