#pragma once

#include <string>

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trestle::yaml {

/// Writes the YAML that read_yaml reads as the same message, to the last bit: plain SI
/// numbers, with the kinds and keys that people write. Omits fields with their default that
/// were not given, enums excepted, and parts without a chosen kind.
/// @pre what read_yaml would accept: finite numbers, kinds chosen, required fields set
std::string write_yaml(const google::protobuf::Message& message);

}  // namespace trestle::yaml
