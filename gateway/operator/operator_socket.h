#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "core/base/file_descriptor.h"

namespace trestle::operators {

inline constexpr const char* kOperatorSocket = "operator.sock";

/// The end of the operators' channel that a node keeps in its folder: a Unix socket that
/// its owner alone may open. The folder's path may be of any length. While this object
/// exists the folder is locked, so that one process serves it; the destructor removes the
/// socket.
class OperatorSocket final {
 public:
  /// Replaces the files of a dead process.
  /// @throws std::runtime_error if another process serves the folder, or it cannot be
  ///          served
  explicit OperatorSocket(const std::string& folder);
  ~OperatorSocket();
  OperatorSocket(const OperatorSocket&) = delete;
  OperatorSocket& operator=(const OperatorSocket&) = delete;

  /// Never waits. @returns the caller, empty if there is none
  FileDescriptor accept() const noexcept;

 private:
  FileDescriptor folder_;
  FileDescriptor socket_;
};

/// Never waits. @returns empty if no process serves the folder; then errno states the
/// reason
FileDescriptor connect_operator_socket(const std::string& folder) noexcept;

/// Returns the user at the other end; empty: unknown.
std::optional<uid_t> peer_user(const FileDescriptor& socket) noexcept;
/// The process there, as it was when it called; 0: not known.
pid_t process_behind(const FileDescriptor& socket) noexcept;

}  // namespace trestle::operators
