#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>

#include "core/yaml/diagnostics.h"
#include "core/yaml/unit_class.h"
#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// The destination of one plain value: a field of a message, which is set, or a list, to
/// which it is added.
struct FieldReference {
  google::protobuf::Message& message;
  const google::protobuf::FieldDescriptor& field;
};

/// Reads one number, word, truth value or path into its field. What is wrong with it
/// becomes a problem, and the field stays as it is.
/// @returns what the unit of a number was
UnitClass read_field(const YamlNode& node, const FieldReference& target,
                     Diagnostics& problems);

/// Returns true if a field may contain any YAML, which it stores as text (`as_text` in the
/// schema).
bool is_text_of_tree(const google::protobuf::FieldDescriptor& field);

}  // namespace trestle::yaml
