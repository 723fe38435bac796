#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/time.h"
#include "numerical/node/run_hold.h"
#include "numerical/node/run_parts.h"

namespace trestle::integrator_node {

/// What became of a person's command to go on where a site said last that it is in FAULT.
/// Only the site knows whether its fault was cleared since: it takes the command up or
/// refuses it, and the answer to the person waits for that word, at most one second.
class ResumeOutcome {
 public:
  ResumeOutcome(const RunParts& run, const RunHold& hold) : run_(run), hold_(hold) {}

  /// The command was accepted. Where no site is in FAULT it waits for nothing.
  void begin() noexcept;
  /// A command that resumes nothing yet, and waits for nothing.
  void pass_over() noexcept { newest_ = false; }
  /// As of OperatorInterface::command_under_way(), of the newest command: beside another
  /// one that still waits it does not wait.
  bool under_way() const noexcept { return since_ && newest_; }
  /// As of OperatorInterface::take_outcome().
  std::optional<std::string> take();

 private:
  bool overdue() const noexcept;
  std::string refusal() const;

  RunParts run_;
  const RunHold& hold_;
  std::optional<TimePoint> since_;
  std::int64_t releases_ = 0;  // at the command
  bool newest_ = false;
};

}  // namespace trestle::integrator_node
