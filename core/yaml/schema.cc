#include "core/yaml/schema.h"

#include <algorithm>
#include <cctype>

#include "proto/config/options.pb.h"

namespace trestle::yaml {
namespace {

std::string snake(std::string_view word) {
  std::string name(word);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

std::string to_kebab_case(std::string_view name) {
  std::string word(name);
  std::replace(word.begin(), word.end(), '_', '-');
  return word;
}

const OneofDescriptor* kind_oneof(const Descriptor& message) {
  return message.FindOneofByName("kind");
}

const FieldDescriptor* find_kind(const OneofDescriptor& kinds, std::string_view word) {
  const std::string name = snake(word);
  for (int i = 0; i < kinds.field_count(); ++i)
    if (kinds.field(i)->name() == name) return kinds.field(i);
  return nullptr;
}

std::vector<std::string> kind_words(const OneofDescriptor& kinds) {
  std::vector<std::string> words;
  for (int i = 0; i < kinds.field_count(); ++i)
    words.push_back(to_kebab_case(kinds.field(i)->name()));
  return words;
}

const FieldDescriptor* chosen_kind(const YamlNode& node, const Descriptor& message) {
  const OneofDescriptor* kinds = kind_oneof(message);
  if (kinds == nullptr) return nullptr;
  const YamlNode* word = node.shape == YamlKind::kMapping ? node.find("kind") : &node;
  if (word == nullptr || word->shape != YamlKind::kScalar) return nullptr;
  return find_kind(*kinds, word->text);
}

const FieldDescriptor* field_of(const Descriptor& message, const FieldDescriptor* kind,
                                std::string_view key) {
  const std::string name(key);
  const OneofDescriptor* kinds = kind_oneof(message);
  const FieldDescriptor* field = message.FindFieldByName(name);
  if (field != nullptr && field == attributes_field(message)) return nullptr;
  if (field != nullptr && (kinds == nullptr || field->containing_oneof() != kinds))
    return field;
  if (kinds == nullptr) return nullptr;
  if (kind != nullptr) return kind->message_type()->FindFieldByName(name);
  for (int i = 0; i < kinds->field_count(); ++i)
    if (const auto* inner = kinds->field(i)->message_type()->FindFieldByName(name))
      return inner;
  return nullptr;
}

std::vector<std::string> known_keys(const Descriptor& message,
                                    const FieldDescriptor* kind) {
  std::vector<std::string> keys;
  const auto add = [&](const std::string& key) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  };
  const OneofDescriptor* kinds = kind_oneof(message);
  if (kinds != nullptr) add("kind");
  for (int i = 0; i < message.field_count(); ++i)
    if (kinds == nullptr || message.field(i)->containing_oneof() != kinds)
      add(message.field(i)->name());
  for (int i = 0; kinds != nullptr && i < kinds->field_count(); ++i) {
    if (kind != nullptr && kinds->field(i) != kind) continue;
    const Descriptor& inner = *kinds->field(i)->message_type();
    for (int j = 0; j < inner.field_count(); ++j) add(inner.field(j)->name());
  }
  return keys;
}

const FieldDescriptor* key_field(const Descriptor& message) {
  for (int i = 0; i < message.field_count(); ++i)
    if (message.field(i)->options().GetExtension(config::key)) return message.field(i);
  return nullptr;
}

const FieldDescriptor* attributes_field(const Descriptor& message) {
  const FieldDescriptor* field = message.FindFieldByName("attributes");
  const bool takes_keys = field != nullptr && field->is_repeated() &&
                          field->message_type() != nullptr &&
                          key_field(*field->message_type()) != nullptr;
  return takes_keys ? field : nullptr;
}

const OneofDescriptor* exclusive_oneof(const FieldDescriptor& field) {
  const OneofDescriptor* oneof = field.real_containing_oneof();
  return oneof != nullptr && oneof->name() != "kind" ? oneof : nullptr;
}

std::string enum_word(const EnumValueDescriptor& value) {
  // Dof -> DOF_, MassMatrix -> MASS_MATRIX_
  std::string prefix;
  for (const char letter : value.type()->name()) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isupper(byte) != 0 && !prefix.empty()) prefix += '_';
    prefix += static_cast<char>(std::toupper(byte));
  }
  prefix += '_';
  std::string_view name = value.name();
  if (name.starts_with(prefix) && name.size() > prefix.size())
    name.remove_prefix(prefix.size());
  std::string word = to_kebab_case(name);
  for (char& letter : word)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return word;
}

std::vector<std::string> enum_words(const EnumDescriptor& words) {
  std::vector<std::string> list;
  for (int i = 0; i < words.value_count(); ++i) list.push_back(enum_word(*words.value(i)));
  return list;
}

const EnumValueDescriptor* find_enum_value(const EnumDescriptor& words,
                                           std::string_view word) {
  for (int i = 0; i < words.value_count(); ++i)
    if (enum_word(*words.value(i)) == to_kebab_case(word)) return words.value(i);
  return nullptr;
}

const FieldDescriptor* scalar_field(const Descriptor& message) {
  const std::string& name = message.options().GetExtension(config::scalar);
  return name.empty() ? nullptr : message.FindFieldByName(name);
}

std::vector<const FieldDescriptor*> positional_fields(const Descriptor& message) {
  std::vector<const FieldDescriptor*> fields;
  if (!message.options().GetExtension(config::positional)) return fields;
  for (int i = 0; i < message.field_count(); ++i)
    if (!message.field(i)->options().GetExtension(config::key))
      fields.push_back(message.field(i));
  std::sort(fields.begin(), fields.end(),
            [](const auto* a, const auto* b) { return a->number() < b->number(); });
  return fields;
}

SchemaContext slot_of(const FieldDescriptor& field) {
  if (field.is_repeated()) return {nullptr, &field};
  return {field.message_type(), nullptr};
}

SchemaContext child_slot(const SchemaContext& slot, const YamlNode& mapping,
                         std::string_view key) {
  if (slot.list != nullptr) return {slot.list->message_type(), nullptr};
  if (slot.message == nullptr) return {};
  const auto* field = field_of(*slot.message, chosen_kind(mapping, *slot.message), key);
  return field == nullptr ? SchemaContext{} : slot_of(*field);
}

}  // namespace trestle::yaml
