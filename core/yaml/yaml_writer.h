#pragma once

#include <string>

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trestle {

/// The YAML that read_yaml turns into this very message again, to the last bit: plain SI
/// numbers, the same kinds and keys as people write. Fields that stand at their default and
/// were not given are left out, enums excepted; so are parts whose kind nobody chose.
/// @pre what read_yaml would accept: finite numbers, kinds chosen, required fields set
std::string write_yaml(const google::protobuf::Message& message);

}  // namespace trestle
