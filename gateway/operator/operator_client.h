#pragma once

#include <string>

#include "core/base/result.h"
#include "core/base/time.h"
#include "gateway/operator/operator_request.h"

namespace trestle::operators {

/// Asks the process that serves a folder, and waits for its answer, at most for `patience`.
/// @returns the answer's line, its end not included; kUnavailable: no process serves the
/// folder; kTimedOut: none answered; kRefused: another user's process serves it
Result<std::string> send_operator_request(const std::string& folder,
                                          const OperatorRequest& request,
                                          Duration patience);

}  // namespace trestle::operators
