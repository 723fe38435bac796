#include "core/yaml/tree_merge.h"

#include <utility>

namespace trestle::yaml {
namespace {

/// A bare kind word as the mapping it stands for; anything else as it is.
TreeNode with_kind_written_out(const TreeNode& node, const Slot& slot) {
  if (node.shape != Shape::kScalar || slot.message == nullptr ||
      kind_oneof(*slot.message) == nullptr)
    return node;
  TreeNode mapping = TreeNode::mapping(node.mark);
  mapping.entries.push_back({"kind", node.mark, node});
  return mapping;
}

bool kinds_differ(const TreeNode& below, const TreeNode& above) {
  const TreeNode* one = below.find("kind");
  const TreeNode* other = above.find("kind");
  return one != nullptr && other != nullptr && kebab(one->text) != kebab(other->text);
}

void drop_rivals(TreeNode& below, const Slot& slot, const std::string& key) {
  if (slot.message == nullptr) return;
  const auto* field = field_of(*slot.message, chosen_kind(below, *slot.message), key);
  const OneofDescriptor* oneof = field == nullptr ? nullptr : rivalry(*field);
  for (int i = 0; oneof != nullptr && i < oneof->field_count(); ++i)
    if (oneof->field(i) != field) below.erase(oneof->field(i)->name());
}

}  // namespace

TreeNode merged(const TreeNode& below, const TreeNode& above, const Slot& slot) {
  TreeNode result = with_kind_written_out(below, slot);
  const TreeNode over = with_kind_written_out(above, slot);
  if (result.shape != Shape::kMapping || over.shape != Shape::kMapping) return above;
  if (kinds_differ(result, over)) return above;
  result.mark = over.mark;
  for (const TreeEntry& entry : over.entries) {
    drop_rivals(result, slot, entry.key);
    const Slot child = child_slot(slot, result, entry.key);
    TreeNode* const under = result.find(entry.key);
    if (under == nullptr) {
      result.entries.push_back(entry);
      continue;
    }
    *under = merged(*under, entry.value, child);
    for (TreeEntry& kept : result.entries)
      if (kept.key == entry.key) kept.mark = entry.mark;
  }
  return result;
}

}  // namespace trestle::yaml
