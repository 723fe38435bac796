#pragma once

#include "core/yaml/override.h"
#include "core/yaml/problems.h"
#include "core/yaml/schema.h"
#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// Applies `path=value` as if the file had been edited at that place. A change of `kind`
/// drops the settings beside it that only other kinds know.
void apply_override(TreeNode& root, const Descriptor& message, const Override& change,
                    Problems& problems);

}  // namespace trestle::yaml
