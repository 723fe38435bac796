#pragma once

#include <string>

#include "core/ports/operator_interface.h"
#include "gateway/operator/operator_request.h"

namespace trestle {

/// Asks the node, or tells it, what the request says.
/// @param by  user@host
OperatorReply execute_request(OperatorInterface& node, const OperatorRequest& request,
                              const std::string& by);

/// The reply to a command whose outcome came later.
/// @param outcome  as of OperatorInterface::take_outcome()
OperatorReply reply_to(const OperatorInterface& node, const OperatorRequest& request,
                       const std::string& by, const std::string& outcome);

}  // namespace trestle
