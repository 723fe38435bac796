#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

#include "core/config/tree_node.h"

namespace trestle::yaml {

/// Recognises a file of another kind by the key that only that kind has.
///
/// @param root    of the file that was read
/// @param wanted  what the caller reads
/// @returns the sentence `is the file of a site (it has the key `site`), which `trestle
/// site`
///          reads; a test is wanted here`; empty if the file may be of the wanted kind
std::string wrong_kind_of_file(const TreeNode& root,
                               const google::protobuf::Descriptor& wanted);

}  // namespace trestle::yaml
