#include "core/yaml/tree_merge.h"

#include <utility>

namespace trestle::yaml {
namespace {

/// Expands a bare kind word to its mapping; anything else is unchanged.
YamlNode with_kind_written_out(const YamlNode& node, const SchemaContext& slot) {
  if (node.shape != YamlKind::kScalar || slot.message == nullptr ||
      kind_oneof(*slot.message) == nullptr)
    return node;
  YamlNode mapping = YamlNode::mapping(node.mark);
  mapping.entries.push_back({"kind", node.mark, node});
  return mapping;
}

bool kinds_differ(const YamlNode& below, const YamlNode& above) {
  const YamlNode* one = below.find("kind");
  const YamlNode* other = above.find("kind");
  return one != nullptr && other != nullptr &&
         to_kebab_case(one->text) != to_kebab_case(other->text);
}

void drop_rivals(YamlNode& below, const SchemaContext& slot, const std::string& key) {
  if (slot.message == nullptr) return;
  const auto* field = field_of(*slot.message, chosen_kind(below, *slot.message), key);
  const OneofDescriptor* oneof = field == nullptr ? nullptr : exclusive_oneof(*field);
  for (int i = 0; oneof != nullptr && i < oneof->field_count(); ++i)
    if (oneof->field(i) != field) below.erase(oneof->field(i)->name());
}

}  // namespace

YamlNode merged(const YamlNode& below, const YamlNode& above, const SchemaContext& slot) {
  YamlNode result = with_kind_written_out(below, slot);
  const YamlNode over = with_kind_written_out(above, slot);
  if (result.shape != YamlKind::kMapping || over.shape != YamlKind::kMapping) return above;
  if (kinds_differ(result, over)) return above;
  result.mark = over.mark;
  for (const YamlEntry& entry : over.entries) {
    drop_rivals(result, slot, entry.key);
    const SchemaContext child = child_slot(slot, result, entry.key);
    YamlNode* const under = result.find(entry.key);
    if (under == nullptr) {
      result.entries.push_back(entry);
      continue;
    }
    *under = merged(*under, entry.value, child);
    for (YamlEntry& kept : result.entries)
      if (kept.key == entry.key) kept.mark = entry.mark;
  }
  return result;
}

}  // namespace trestle::yaml
