#pragma once

#include <cstdint>
#include <string>

namespace trestle {

/// As in logs and tables: `2026-11-22T02:51:40.123Z`.
/// @param nanoseconds  since 1970
std::string utc_text(std::int64_t nanoseconds);

}  // namespace trestle
