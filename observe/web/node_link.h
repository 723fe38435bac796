#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/operator_interface.h"

namespace trestle::web {

/// The newest answer of the process that serves a folder.
struct NodeAnswer {
  std::optional<NodeStatus> status;  ///< nothing: no process serves the folder
  std::string why;                   ///< first sentence of `trestle why`
  std::string help;                  ///< the command that helps; may be empty
};

/// What a person at a page commands.
struct PageCommand {
  std::uint64_t client = 0;  ///< who waits for the outcome
  std::string verb;          ///< "hold", "stop", "note"
  std::string text;          ///< reason, or the note
  std::string person;        ///< name of the person; empty: that of the server's user
  double time = -1.0;        ///< of a note: time of the test; below 0: now [s]
};

struct CommandOutcome {
  std::uint64_t client = 0;
  std::string verb;
  std::string problem;  ///< empty: accepted
};

/// The way to the process that serves a folder. No verb blocks.
class NodeLink {
 public:
  virtual ~NodeLink() = default;

  virtual NodeAnswer newest() = 0;
  virtual void command(const PageCommand& command) = 0;
  /// The outcomes that have arrived since the last call.
  virtual std::vector<CommandOutcome> take_outcomes() = 0;
};

}  // namespace trestle::web
