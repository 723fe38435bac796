#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

#include "core/yaml/yaml_node.h"

namespace trestle::yaml {

/// Recognises a file of another kind by the key that only that kind has.
///
/// @param root    of the file that was read
/// @param wanted  what the caller reads
/// @returns the sentence `is the file of a site (it has the key `site`), which `trestle
/// site`
///          reads; a test is wanted here`; empty if the file may be of the wanted kind
std::string wrong_kind_of_file(const YamlNode& root,
                               const google::protobuf::Descriptor& wanted);

/// Reads the top of a file, and where that does not tell, those that it includes there.
/// @returns the name of the message in proto/ that the file fills, `Test`, `SiteFile`,
///          `Study`, `Identification`, `BondGraph`, `GatewayFile`, `LinkFile`, `Rig`; empty
///          if no key tells it, or the file cannot be read
std::string kind_of_file(const std::string& file);

}  // namespace trestle::yaml
