#include "core/yaml/yaml_writer.h"

#include <google/protobuf/message.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "core/yaml/schema.h"
#include "core/yaml/yaml_node.h"
#include "core/yaml/yaml_text.h"
#include "proto/config/options.pb.h"

namespace trestle::yaml {
namespace {

using google::protobuf::Message;
using yaml::FieldDescriptor;
using yaml::YamlEntry;
using yaml::YamlKind;
using yaml::YamlNode;

YamlNode sequence() {
  YamlNode node;
  node.shape = YamlKind::kSequence;
  return node;
}

/// The shortest decimal number that reads as this very double.
std::string shortest(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

YamlNode tree_of(const Message& message, bool is_named);

/// One value of a field: the only one, or entry `index` of a list.
YamlNode value_of(const Message& message, const FieldDescriptor& field, int index) {
  const auto& reflection = *message.GetReflection();
  const bool list = field.is_repeated();
  const auto of = [&](auto single, auto repeated) {
    return list ? (reflection.*repeated)(message, &field, index)
                : (reflection.*single)(message, &field);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      // A word in place of a number is read as infinite.
      if (field.options().ExtensionSize(config::keyword) > 0 &&
          std::isinf(of(&R::GetDouble, &R::GetRepeatedDouble)))
        return YamlNode::scalar(field.options().GetExtension(config::keyword, 0), {});
      return YamlNode::scalar(shortest(of(&R::GetDouble, &R::GetRepeatedDouble)), {});
    case FieldDescriptor::CPPTYPE_FLOAT:
      return YamlNode::scalar(shortest(of(&R::GetFloat, &R::GetRepeatedFloat)), {});
    case FieldDescriptor::CPPTYPE_INT32:
      return YamlNode::scalar(std::to_string(of(&R::GetInt32, &R::GetRepeatedInt32)), {});
    case FieldDescriptor::CPPTYPE_INT64:
      return YamlNode::scalar(std::to_string(of(&R::GetInt64, &R::GetRepeatedInt64)), {});
    case FieldDescriptor::CPPTYPE_UINT32:
      return YamlNode::scalar(std::to_string(of(&R::GetUInt32, &R::GetRepeatedUInt32)), {});
    case FieldDescriptor::CPPTYPE_UINT64:
      return YamlNode::scalar(std::to_string(of(&R::GetUInt64, &R::GetRepeatedUInt64)), {});
    case FieldDescriptor::CPPTYPE_BOOL:
      return YamlNode::scalar(of(&R::GetBool, &R::GetRepeatedBool) ? "true" : "false", {});
    case FieldDescriptor::CPPTYPE_ENUM:
      return YamlNode::scalar(yaml::enum_word(*of(&R::GetEnum, &R::GetRepeatedEnum)), {});
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return tree_of(list ? reflection.GetRepeatedMessage(message, &field, index)
                          : reflection.GetMessage(message, &field),
                     false);
    default:
      return YamlNode::scalar(of(&R::GetString, &R::GetRepeatedString), {});
  }
}

/// A list of entries with names, as the mapping that people write; nothing if the
/// names would not do as keys.
bool keyed_tree(const Message& message, const FieldDescriptor& list, YamlNode& mapping) {
  const FieldDescriptor* key =
      list.message_type() == nullptr ? nullptr : yaml::key_field(*list.message_type());
  if (key == nullptr) return false;
  mapping = YamlNode::mapping({});
  std::set<std::string> names;
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, &list); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(message, &list, i);
    std::string name = entry.GetReflection()->GetString(entry, key);
    // `include` as a key names a file.
    if (name.empty() || name == "include" || !names.insert(name).second) return false;
    mapping.entries.push_back({std::move(name), {}, tree_of(entry, true)});
  }
  return true;
}

YamlNode field_tree(const Message& message, const FieldDescriptor& field) {
  if (!field.is_repeated()) return value_of(message, field, 0);
  YamlNode node;
  if (keyed_tree(message, field, node)) return node;
  node = sequence();
  for (int i = 0; i < message.GetReflection()->FieldSize(message, &field); ++i)
    node.items.push_back(value_of(message, field, i));
  return node;
}

/// A part without a chosen kind: the reader refuses it, and omitting it means the same.
bool is_without_kind(const Message& part) {
  const auto* kinds = yaml::kind_oneof(*part.GetDescriptor());
  return kinds != nullptr && !part.GetReflection()->HasOneof(part, kinds);
}

bool is_written(const Message& message, const FieldDescriptor& field) {
  const auto& reflection = *message.GetReflection();
  if (field.is_repeated()) return reflection.FieldSize(message, &field) > 0;
  if (field.message_type() != nullptr && reflection.HasField(message, &field) &&
      is_without_kind(reflection.GetMessage(message, &field)))
    return false;
  if (reflection.HasField(message, &field)) return true;
  if (field.has_presence()) return false;
  return field.options().GetExtension(config::required) || field.enum_type() != nullptr;
}

/// Attributes stand beside the keys that the message knows.
void add_attributes(const Message& message, const FieldDescriptor& field,
                    YamlNode& mapping) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    const Message& entry = reflection.GetRepeatedMessage(message, &field, i);
    const FieldDescriptor* key = yaml::key_field(*entry.GetDescriptor());
    mapping.entries.push_back(
        {entry.GetReflection()->GetString(entry, key), {}, tree_of(entry, true)});
  }
}

/// The mapping without short forms.
YamlNode mapping_of(const Message& message, bool is_named) {
  YamlNode mapping = YamlNode::mapping({});
  const auto& descriptor = *message.GetDescriptor();
  const auto* kinds = yaml::kind_oneof(descriptor);
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (is_named && field.options().GetExtension(config::key)) continue;
    if (!is_written(message, field)) continue;
    if (&field == yaml::attributes_field(descriptor)) {
      add_attributes(message, field, mapping);
      continue;
    }
    if (kinds == nullptr || field.containing_oneof() != kinds) {
      mapping.entries.push_back({field.name(), {}, field_tree(message, field)});
      continue;
    }
    mapping.entries.insert(
        mapping.entries.begin(),
        {"kind", {}, YamlNode::scalar(yaml::to_kebab_case(field.name()), {})});
    const Message& inner = message.GetReflection()->GetMessage(message, &field);
    for (YamlEntry& entry : mapping_of(inner, false).entries)
      mapping.entries.push_back(std::move(entry));
  }
  return mapping;
}

/// An empty text is none: the reader takes it for a forgotten one.
bool is_absent(const Message& message, const FieldDescriptor& field) {
  if (field.is_repeated()) return false;
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  if (field.has_presence()) return !reflection.HasField(message, &field);
  return field.cpp_type() == FieldDescriptor::CPPTYPE_STRING &&
         reflection.GetString(message, &field).empty();
}

/// The places of a positional message up to the last that is given.
std::vector<const FieldDescriptor*> given_places(const Message& message) {
  auto fields = yaml::positional_fields(*message.GetDescriptor());
  while (!fields.empty() && is_absent(message, *fields.back())) fields.pop_back();
  return fields;
}

/// Whether a sequence can say all of a positional message.
bool can_be_sequence(const Message& message,
                     const std::vector<const FieldDescriptor*>& fields, bool is_named) {
  const auto* key = yaml::key_field(*message.GetDescriptor());
  if (fields.empty() || (key != nullptr && !is_named)) return false;
  for (const FieldDescriptor* field : fields) {
    if (is_absent(message, *field)) return false;
    // A default that its own range leaves out may be absent, but not be given.
    const auto& options = field->options();
    const bool ranged =
        options.HasExtension(config::above) || options.HasExtension(config::at_least);
    if (ranged && !field->is_repeated() && !is_written(message, *field)) return false;
  }
  return true;
}

YamlNode tree_of(const Message& message, bool is_named) {
  const auto& descriptor = *message.GetDescriptor();
  YamlNode mapping = mapping_of(message, is_named);
  if (mapping.entries.size() == 1) {
    YamlEntry& only = mapping.entries.front();
    const auto* scalar = yaml::scalar_field(descriptor);
    const bool is_short = (scalar != nullptr && only.key == scalar->name()) ||
                          (yaml::kind_oneof(descriptor) != nullptr && only.key == "kind");
    if (is_short && only.value.shape == YamlKind::kScalar) return std::move(only.value);
  }
  const auto fields = given_places(message);
  if (!can_be_sequence(message, fields, is_named)) return mapping;
  if (fields.size() == 1 && fields.front()->is_repeated())
    return field_tree(message, *fields.front());
  YamlNode list = sequence();
  for (const FieldDescriptor* field : fields)
    list.items.push_back(field_tree(message, *field));
  return list;
}

}  // namespace

std::string write_yaml(const google::protobuf::Message& message) {
  return yaml::format_tree(mapping_of(message, false));
}

}  // namespace trestle::yaml
