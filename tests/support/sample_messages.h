#pragma once

#include <vector>

#include "core/types/message.h"

namespace trestle::testing {

/// Numbers that a careless copy changes: signalling and quiet NaNs with payload, denormals,
/// the negative zero, infinities, the largest and the smallest.
std::vector<double> awkward_numbers();

/// Messages with every field away from its default.
StepCommand sample_command(int dofs, bool feedforward);
StepResponse sample_response(int dofs, int actuators);
std::vector<SessionMessage> sample_session_messages();

/// Equal in every bit, NaNs included.
bool same(const StepCommand& a, const StepCommand& b);
bool same(const StepResponse& a, const StepResponse& b);
bool same(const SessionMessage& a, const SessionMessage& b);

}  // namespace trestle::testing
