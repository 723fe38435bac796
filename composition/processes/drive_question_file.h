#pragma once

#include <optional>
#include <string>

#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// What a site says of its question for the drive in force.
struct SiteQuestion {
  std::optional<site_node::AskedDrive> asked;  ///< empty: it does not ask
  bool in_fault = false;
  bool in_session = false;
};
SiteQuestion site_question(const site_node::SiteNode& site);

/// Stores in a rig's place the open question for the drive in force, and the reply: the
/// process that asked may have ended when the person replies, and the next process uses the
/// reply. Files `question` and `drive`; answered and used ones stay as `question.answered`
/// and `drive.used`.
class DriveQuestionFile {
 public:
  /// @param folder  the rig's place
  /// @throws std::runtime_error  if a reply is there and cannot be read
  explicit DriveQuestionFile(const std::string& folder);

  /// Returns the answer that a person gave while no process drove the rig; empty: none.
  const std::optional<site_node::ToldDrive>& told() const noexcept { return told_; }

  /// Sets the reply aside as used.
  /// @throws std::runtime_error  where that cannot be done
  void discard_reply();

  /// Keeps the question of the site as long as it asks, and the reply until a session has
  /// taken it up. Waits for the disk.
  /// @returns a sentence, once, where that cannot be done; else nothing
  std::string follow(const SiteQuestion& site);
  /// Returns true if follow() would write something.
  bool is_to_follow(const SiteQuestion& site) const;

 private:
  bool is_over(const SiteQuestion& site) const;
  bool is_used(const SiteQuestion& site) const;

  std::string folder_;
  std::optional<site_node::ToldDrive> told_;
  std::string asked_;  ///< as it is kept; empty: nothing is asked
  bool failed_ = false;
};

/// Returns true if the last process that drove the rig requested its drive.
bool asks_for_drive(const std::string& folder);

/// Takes the reply to the question of a rig's place, for the next process.
/// @param drive  as `trestle clear --drive` takes it
/// @returns why not, or empty
/// @throws std::runtime_error  if it cannot be kept
std::string reply_drive(const std::string& folder, const std::string& drive,
                        const std::string& by);

}  // namespace trestle::composition
