#include "core/yaml/yaml_node.h"

#include <algorithm>
#include <utility>

namespace trestle::yaml {

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

YamlNode* YamlNode::find(std::string_view key) {
  return const_cast<YamlNode*>(std::as_const(*this).find(key));
}

void YamlNode::erase(std::string_view key) {
  std::erase_if(entries, [&](const YamlEntry& entry) { return entry.key == key; });
}

YamlNode YamlNode::scalar(std::string text, SourcePosition mark) {
  YamlNode node;
  node.shape = YamlKind::kScalar;
  node.mark = mark;
  node.text = std::move(text);
  return node;
}

YamlNode YamlNode::mapping(SourcePosition mark) {
  YamlNode node;
  node.shape = YamlKind::kMapping;
  node.mark = mark;
  return node;
}

std::string_view shape_name(YamlKind shape) {
  switch (shape) {
    case YamlKind::kScalar:
      return "a single value";
    case YamlKind::kSequence:
      return "a list";
    case YamlKind::kMapping:
      return "a mapping";
    default:
      return "empty";
  }
}

}  // namespace trestle::yaml
