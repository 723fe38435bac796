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

/// Where a key may belong: to the message itself, or to the chosen kind's message (to the
/// first that knows it, while none is chosen). Null where no one knows it.
const FieldDescriptor* field_of(const Descriptor& message, const FieldDescriptor* kind,
                                std::string_view key);

/// Every key that field_of knows, with `kind` where it may stand.
std::vector<std::string> known_keys(const Descriptor& message, const FieldDescriptor* kind);

/// The field that an entry's key in a mapping fills, or null.
const FieldDescriptor* key_field(const Descriptor& message);

/// The list `attributes` of entries with a key, which takes the keys that the message does
/// not know (`{type: Mass, m: 2 kg}`); null where the message has none.
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

/// What stands at a place of the tree: a message, one field's list, or a plain value.
struct SchemaContext {
  const Descriptor* message = nullptr;    ///< of a message
  const FieldDescriptor* list = nullptr;  ///< of a repeated field, as a whole
};

/// What a value of this field is, as a whole.
SchemaContext slot_of(const FieldDescriptor& field);

/// What stands behind a key of a mapping; two nulls where that is a plain value or unknown.
SchemaContext child_slot(const SchemaContext& slot, const YamlNode& mapping,
                         std::string_view key);

}  // namespace trestle::yaml
