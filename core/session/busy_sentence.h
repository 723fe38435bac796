#pragma once

#include <string>

#include "core/types/message.h"

namespace trestle::session {

/// "site lab (tcp://lab:7000) is busy with test frame of ana@control since 2026-11-23
/// 05:42:10 UTC, at step 120 (RUNNING)". Long names are cut.
/// @param where  its address; empty: unknown
std::string busy_sentence(const std::string& site, const std::string& where,
                          const Busy& busy);

}  // namespace trestle::session
