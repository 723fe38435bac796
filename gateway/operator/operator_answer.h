#pragma once

#include <string>

#include "core/ports/operated.h"
#include "gateway/operator/operator_message.h"

namespace trestle {

/// Asks the node, or tells it, what the request says.
/// @param by  user@host
OperatorAnswer carry_out(Operated& node, const OperatorRequest& request,
                         const std::string& by);

}  // namespace trestle
