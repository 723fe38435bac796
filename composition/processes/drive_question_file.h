#pragma once

#include <optional>
#include <string>

#include "site-servers/node/site_node.h"

namespace trestle {

/// Keeps in a rig's place what its site asks a person, which drive the equipment has in
/// force, and the reply: the process that asked may be gone when the person replies, and
/// the next one continues from what they said. Files `question` and `drive`; what was
/// answered or used stays beside them as `question.answered` and `drive.used`.
class DriveQuestionFile {
 public:
  /// @param folder  the rig's place
  /// @throws std::runtime_error  where a reply is there and cannot be read
  explicit DriveQuestionFile(const std::string& folder);

  /// What a person said while no process drove the rig; nothing: nobody did.
  const std::optional<ToldDrive>& told() const noexcept { return told_; }

  /// Between two ticks: keeps the question of the site as long as it asks, and the reply
  /// until a session has taken it up.
  /// @returns a sentence, once, where that cannot be done; else nothing
  std::string follow(const SiteNode& site);

 private:
  std::string folder_;
  std::optional<ToldDrive> told_;
  std::string asked_;  ///< as it is kept; empty: nothing is asked
  bool failed_ = false;
};

/// Whether the process that drove the rig last asked for its drive.
bool asks_for_drive(const std::string& folder);

/// Takes the reply to the question of a rig's place, for the next process.
/// @param drive  as `trestle clear --drive` takes it
/// @returns why not, or empty
/// @throws std::runtime_error  where it cannot be kept
std::string reply_drive(const std::string& folder, const std::string& drive,
                        const std::string& by);

}  // namespace trestle
