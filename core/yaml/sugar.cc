#include "core/yaml/sugar.h"

#include <utility>
#include <vector>

#include "core/base/suggestion.h"

namespace trestle::yaml {
namespace {

/// `[0, 3 m]`, `a mapping or one of none, ats`: how a message may be written.
std::string forms(const Descriptor& message) {
  std::string text = "a mapping";
  if (const auto* kinds = kind_oneof(message))
    text += " with `kind:`, or one word of " + listed(kind_words(*kinds));
  std::vector<std::string> places;
  for (const auto* field : positional_fields(message)) places.push_back(field->name());
  if (!places.empty()) text += ", or a list [" + listed(places) + "]";
  if (const auto* scalar = scalar_field(message))
    text += ", or the " + scalar->name() + " alone";
  return text;
}

/// How many entries a list needs. A number behind its last is zero only where one entry
/// alone is allowed: the real part of a complex number.
std::size_t least_entries(const Descriptor& message) {
  std::size_t least = 0;
  if (scalar_field(message) != nullptr) return least;
  const auto fields = positional_fields(message);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!fields[i]->is_repeated() && !fields[i]->has_presence() &&
        fields[i]->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)
      least = i + 1;
  return least;
}

bool is_empty_text(const YamlNode& node) {
  return node.shape == YamlKind::kScalar && node.text.empty();
}

bool is_optional_text(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_STRING && !field.is_repeated() &&
         !field.options().GetExtension(config::required);
}

bool write_out_sequence(YamlNode& node, const Descriptor& message, const std::string& name,
                        Diagnostics& problems) {
  const auto fields = positional_fields(message);
  YamlNode mapping = YamlNode::mapping(node.mark);
  if (fields.size() == 1 && fields.front()->is_repeated()) {
    mapping.entries.push_back({fields.front()->name(), node.mark, node});
    node = std::move(mapping);
    return true;
  }
  if (node.items.size() > fields.size()) {
    problems.add(node.mark, name + " has " + std::to_string(node.items.size()) +
                                " entries; must be at most " +
                                std::to_string(fields.size()) + ": " + forms(message));
    return false;
  }
  if (node.items.size() < least_entries(message)) {
    problems.add(node.mark, name + " has " + std::to_string(node.items.size()) +
                                " entries; must be at least " +
                                std::to_string(least_entries(message)) + ": " +
                                forms(message));
    return false;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    // Earlier programs wrote an empty text for none.
    if (is_empty_text(node.items[i]) && is_optional_text(*fields[i])) continue;
    const SourcePosition mark = node.items[i].mark;
    mapping.entries.push_back({fields[i]->name(), mark, std::move(node.items[i])});
  }
  node = std::move(mapping);
  return true;
}

}  // namespace

bool expand_shorthand(YamlNode& node, const Descriptor& message, const std::string& name,
                      Diagnostics& problems) {
  if (node.shape == YamlKind::kMapping) return true;
  YamlNode mapping = YamlNode::mapping(node.mark);
  if (node.shape == YamlKind::kNull && least_entries(message) > 0) {
    problems.add(node.mark, name + " is empty; must be " + forms(message));
    return false;
  }
  if (node.shape == YamlKind::kNull) {
    node = std::move(mapping);
    return true;
  }
  if (node.shape == YamlKind::kSequence && !positional_fields(message).empty())
    return write_out_sequence(node, message, name, problems);
  const FieldDescriptor* scalar = scalar_field(message);
  const bool is_kind = kind_oneof(message) != nullptr;
  if (node.shape != YamlKind::kScalar || (scalar == nullptr && !is_kind)) {
    problems.add(node.mark, name + " is " + std::string(shape_name(node.shape)) +
                                "; must be " + forms(message));
    return false;
  }
  const SourcePosition mark = node.mark;
  mapping.entries.push_back({is_kind ? "kind" : scalar->name(), mark, std::move(node)});
  node = std::move(mapping);
  return true;
}

}  // namespace trestle::yaml
