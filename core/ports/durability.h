#pragma once

#include <cstdint>
#include <string>

namespace trestle {

/// How safe the rows are that were pushed into the record. For every step: nothing blocks.
///
/// Thread: the node's, or its control thread.
class Durability {
 public:
  virtual ~Durability() = default;

  /// Requests that all rows pushed so far survive a loss of power. Does not wait for it.
  /// @returns a ticket for is_durable()
  virtual std::uint64_t request_sync() noexcept = 0;
  /// Returns true when the rows of this ticket survive a loss of power, or when nothing is
  /// kept: then nobody needs to wait.
  virtual bool is_durable(std::uint64_t ticket) const noexcept = 0;

  /// Returns true if the record can no longer be written.
  virtual bool failed() const noexcept = 0;
  /// Returns the reason in one sentence. @pre failed()
  virtual std::string error_message() const = 0;
};

}  // namespace trestle
