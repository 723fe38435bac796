#pragma once

#include <string>

#include "core/ports/operator_interface.h"
#include "gateway/operator/operator_request.h"

namespace trestle {

/// Asks the node, or tells it, what the request says.
/// @param by  user@host
OperatorReply execute_request(OperatorInterface& node, const OperatorRequest& request,
                              const std::string& by);

}  // namespace trestle
