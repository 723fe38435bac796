#pragma once

#include "core/yaml/problems.h"
#include "core/yaml/schema.h"
#include "core/yaml/tree_node.h"

namespace trestle::yaml {

/// Resolves every `like: other` of the entries of keyed mappings: the entry is laid over
/// its sibling. Chains are followed; a circle or an unknown sibling is a problem.
void resolve_likes(TreeNode& node, const Slot& slot, Problems& problems);

}  // namespace trestle::yaml
