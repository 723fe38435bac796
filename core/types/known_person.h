#pragma once

#include <string_view>

namespace trestle {

/// Whether a person's text (host::Person) is that of nobody known. No person can be called
/// so (host::refusal_of_name()).
inline bool is_unknown_person(std::string_view text) noexcept {
  return text.starts_with("unknown (") || text.starts_with("unknown@");
}

}  // namespace trestle
