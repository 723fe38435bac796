#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/ports/operator_interface.h"
#include "gateway/operator/operator_connection.h"
#include "gateway/operator/operator_request.h"
#include "gateway/operator/operator_socket.h"

namespace trestle::operators {

/// The operators' channel of one node: requests come over the Unix socket `operator.sock`
/// in the folder of its record, one JSON object per line, and are answered in order
/// (docs/howto/operate-a-test.md).
///
/// Runs on the thread that drives the node and never blocks it: each poll answers at most
/// one request, the callers in turn, and the memory of callers is bounded.
class OperatorServer final {
 public:
  struct Settings {
    std::string folder;
    Duration poll_interval = std::chrono::milliseconds(5);
    Duration patience = std::chrono::seconds(60);  ///< with a caller who is silent
    std::size_t callers = 16;                      ///< at most, at one time
    std::function<TimePoint()> clock = {};         ///< empty: the host's monotonic clock
    /// Returns the user whose login started the process; empty: the kernel is queried.
    std::function<std::optional<uid_t>(pid_t)> login = {};
  };

  /// @throws std::runtime_error if another process serves the folder, or it cannot be
  explicit OperatorServer(Settings settings);

  /// Between two ticks of the node, as often as one likes.
  void poll(OperatorInterface& node) noexcept;

 private:
  void look(OperatorInterface& node, TimePoint now);
  void admit(TimePoint now);
  void serve_one(OperatorInterface& node, TimePoint now);
  struct Waiting {
    OperatorRequest request;
    std::string by;
  };
  struct Caller {
    OperatorConnection connection;
    uid_t user;
    std::optional<uid_t> login;
    std::optional<Waiting> waits = {};  ///< for the outcome of its command
  };

  void answer_later(OperatorInterface& node, TimePoint now);
  /// @returns the answer; empty: it follows later
  std::optional<std::string> answer_to(OperatorInterface& node, const std::string& line,
                                       Caller& caller);
  const std::string& name_of(uid_t user);

  Settings settings_;
  OperatorSocket socket_;
  uid_t owner_;
  std::map<uid_t, std::string> names_;  // asked for once: a directory may be far away
  std::vector<Caller> callers_;
  TimePoint next_look_;
  std::size_t next_caller_ = 0;
};

/// Returns true if the user may send commands: the user who runs the node, and root.
bool is_operator(uid_t user, uid_t owner) noexcept;

}  // namespace trestle::operators
