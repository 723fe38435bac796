#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::OneofDescriptor;

/// `operator_splitting` as people write it: `operator-splitting`.
std::string to_kebab_case(std::string_view name);

/// The oneof that the key `kind:` chooses, or null.
const OneofDescriptor* kind_oneof(const Descriptor& message);

/// The member of a kind oneof by its word, or null.
const FieldDescriptor* find_kind(const OneofDescriptor& kinds, std::string_view word);
std::vector<std::string> kind_words(const OneofDescriptor& kinds);

/// The kind that a written value chooses by bare word or by `kind:`, or null.
const FieldDescriptor* chosen_kind(const YamlNode& node, const Descriptor& message);

/// Returns the owner of a key: the message itself, or the message of the chosen kind (the
/// first that has it, while none is chosen). Null if no message has it.
const FieldDescriptor* field_of(const Descriptor& message, const FieldDescriptor* kind,
                                std::string_view key);

/// Every key that field_of knows, with `kind` where it may stand.
std::vector<std::string> known_keys(const Descriptor& message, const FieldDescriptor* kind);

/// The field that an entry's key in a mapping fills, or null.
const FieldDescriptor* key_field(const Descriptor& message);

/// The list `attributes` of entries with a key, which takes the keys that the message does
/// not know (`{type: Mass, m: 2 kg}`); null if the message has none.
const FieldDescriptor* attributes_field(const Descriptor& message);

/// The oneof that a field shares with others, kinds and explicit presence excepted.
const OneofDescriptor* exclusive_oneof(const FieldDescriptor& field);

/// The value of `Dof` written `x` is DOF_X: without the enum's name, lower case,
/// to_kebab_case.
std::string enum_word(const EnumValueDescriptor& value);
std::vector<std::string> enum_words(const EnumDescriptor& words);
const EnumValueDescriptor* find_enum_value(const EnumDescriptor& words,
                                           std::string_view word);

/// The field that a scalar fills, or null.
const FieldDescriptor* scalar_field(const Descriptor& message);

/// The fields of a message that may be written as a sequence, in that order; else empty.
std::vector<const FieldDescriptor*> positional_fields(const Descriptor& message);

/// The content of a place in the tree: a message, one field's list, or a plain value.
struct SchemaContext {
  const Descriptor* message = nullptr;    ///< of a message
  const FieldDescriptor* list = nullptr;  ///< of a repeated field, as a whole
};

/// Returns the context of a whole value of this field.
SchemaContext slot_of(const FieldDescriptor& field);

/// Returns the context behind a key of a mapping; two nulls if it is a plain value or
/// unknown.
SchemaContext child_slot(const SchemaContext& slot, const YamlNode& mapping,
                         std::string_view key);

}  // namespace trestle::yaml
