#pragma once

#include <string>

#include "core/session/site_state_machine.h"

namespace trestle::site_node {

/// The sentence of a fault whose reason is not known: a latched fault always has one.
inline constexpr const char* kUnknownFault =
    "a fault whose reason was not kept; the log and the record of the site may have it";

/// Keeps a site's fault in the file `fault` of a folder until a person clears it: the next
/// process begins with it (P2). The file `fault.room` reserves space, so that `fault` can
/// be written when the disk is full.
class FaultLatch {
 public:
  /// @param before  folder in which an older version may have left a fault; empty: none
  /// @throws std::runtime_error  if there is no room
  explicit FaultLatch(const std::string& folder, const std::string& before = {});

  /// The sentence of the fault that was left behind; empty: none.
  const std::string& reason() const noexcept { return reason_; }

  /// Keeps the fault that the site has met, safe from power loss, until that is cleared.
  /// Waits for the disk. Never ends a program that has a rig to bring to safety.
  /// @param state   of the site
  /// @param reason  the sentence of its fault; without one the file says so
  /// @returns one sentence, once, if the fault cannot be kept; otherwise empty
  std::string follow(session::SessionState state, const std::string& reason);
  /// Returns true if follow() would write something.
  bool is_to_follow(session::SessionState state, const std::string& reason) const noexcept;
  /// The file of the fault.
  const std::string& path() const noexcept { return path_; }

 private:
  std::string sentence() const;
  bool keep() const;

  std::string folder_;
  std::string before_;
  std::string path_;
  std::string room_;
  std::string reason_;
  bool kept_ = false;
};

}  // namespace trestle::site_node
