#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "gateway/operator/operator_request.h"

namespace trestle::operators {

/// Reads one line of an operator's channel. Whatever the bytes are, nothing is thrown: a
/// request is one object of texts with known keys, no other value, nothing nested.
/// @returns the request, its reason as plain text; or one sentence: what is wrong with it
Result<OperatorRequest> read_request(std::string_view line);

/// One line, its end included.
std::string write_request(const OperatorRequest& request);

/// One line, its end included; keys carry their units (docs/howto/operate-a-test.md).
std::string write_answer(const OperatorReply& answer);

/// @returns the answer, or what is wrong with the line
Result<OperatorReply> read_answer(std::string_view line);

}  // namespace trestle::operators
