#pragma once

#include <string>

#include "core/ports/operator_interface.h"
#include "gateway/operator/operator_request.h"

namespace trestle::operators {

/// Executes the query or command of the request on the node.
/// @param by  user@host
OperatorReply execute_request(OperatorInterface& node, const OperatorRequest& request,
                              const std::string& by);

/// Returns the reply to a command whose outcome followed later.
/// @param outcome  as of OperatorInterface::take_outcome()
OperatorReply reply_to(const OperatorInterface& node, const OperatorRequest& request,
                       const std::string& by, const std::string& outcome);

}  // namespace trestle::operators
