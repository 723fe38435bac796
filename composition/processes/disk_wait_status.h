#pragma once

#include <string>
#include <utility>

#include "core/base/time.h"
#include "core/ports/operator_interface.h"

namespace trestle::composition {

/// Answers the operators of a process whose node has ended or waits in its record: the
/// disk has not yet taken the end of a record.
class DiskWaitStatus final : public OperatorInterface {
 public:
  /// @param then  what happens when the time is up, for `trestle why`
  explicit DiskWaitStatus(std::string then) : then_(std::move(then)) {}

  /// Keeps the last status of the node, which is shown with the wait.
  void keep(NodeStatus last);
  /// @param file  of the record
  /// @param left  until the process continues without this disk
  void wait_for(const std::string& file, Duration waited, Duration left);

  NodeStatus status() const override { return now_; }
  std::string arm(const std::string& by) override;
  std::string hold(const std::string& by, const std::string& reason) override;
  std::string resume(const std::string& by) override;
  std::string stop(const std::string& by, const std::string& reason) override;
  std::string clear(const std::string& by) override;
  std::string note(const std::string& by, const Note& note) override;
  std::string command_rig(const std::string& by, const RigRequest& request) override;

 private:
  std::string refusal() const;

  std::string then_;
  NodeStatus now_;
  std::string file_;
  Duration left_{};
};

}  // namespace trestle::composition
