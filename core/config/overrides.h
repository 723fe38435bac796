#pragma once

#include "core/config/override.h"
#include "core/config/problems.h"
#include "core/config/schema.h"
#include "core/config/tree_node.h"

namespace trestle::yaml {

/// Applies `path=value` as if the file had been edited at that place. A change of `kind`
/// drops the settings beside it that only other kinds know.
void apply_override(TreeNode& root, const Descriptor& message, const Override& change,
                    Problems& problems);

}  // namespace trestle::yaml
