#pragma once

#include <string>
#include <vector>

#include "core/yaml/config_error.h"
#include "core/yaml/override.h"
#include "core/yaml/source_map.h"

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace trestle::yaml {

/// Reads a YAML file into a message, strictly, by the rules at the head of
/// proto/config/ and the options of each field in proto/config/options.proto.
///
/// `include:` names files to lie below this one, `like:` in an entry a sibling to lie below
/// it. An override is `path=value`: dotted keys as in the file, list entries by `[index]`
/// from 0 or by name, the value as YAML; it is applied after includes and before `like`.
///
/// @param file       printed in errors as it is given here
/// @param into       emptied first; left unspecified when this throws
/// @param where      emptied first; where each field stood, for later stages
/// @throws ConfigError with all problems at once, whatever the bytes of the file are
void read_yaml(const std::string& file, const std::vector<std::string>& overrides,
               google::protobuf::Message& into, SourceMap& where);

/// The same with overrides that do not all come from the command line.
void read_edited_yaml(const std::string& file, const std::vector<Override>& overrides,
                      google::protobuf::Message& into, SourceMap& where);

}  // namespace trestle::yaml
