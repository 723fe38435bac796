#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace trestle::host {

/// A name that one process of this host holds at a time, whatever its user, working
/// directory and state folder. The kernel gives it back when the process ends, however it
/// ends. An abstract Unix socket keeps it, so each network namespace (container) has
/// separate names.
class HostClaim {
 public:
  /// A process that holds a name.
  struct Holder {
    pid_t process = 0;  ///< 0: the kernel does not tell
    uid_t user = 0;
  };

  /// Takes the name, or finds out which process holds it. Blocks for at most 0.2 s.
  /// @throws std::runtime_error  the kernel gives no such socket
  explicit HostClaim(const std::string& name);
  ~HostClaim();
  HostClaim(const HostClaim&) = delete;
  HostClaim& operator=(const HostClaim&) = delete;

  /// The other process that holds the name; none: this object holds it.
  const std::optional<Holder>& other() const noexcept { return other_; }

 private:
  int socket_ = -1;
  std::optional<Holder> other_;
};

}  // namespace trestle::host
