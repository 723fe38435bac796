#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "observe/web/node_link.h"

namespace trestle::cli {

/// Asks the process that serves a folder how it stands, and gives it the commands of the
/// pages, on a separate thread: a process that is slow to answer delays no page.
class FolderLink final : public web::NodeLink {
 public:
  /// @param person  name for commands that name none; may be empty
  FolderLink(std::string folder, std::string person);
  ~FolderLink() override;
  FolderLink(const FolderLink&) = delete;
  FolderLink& operator=(const FolderLink&) = delete;

  web::NodeAnswer newest() override;
  void command(const web::PageCommand& command) override;
  std::vector<web::CommandOutcome> take_outcomes() override;

 private:
  void serve();
  void ask();
  std::string give(const web::PageCommand& command) const;
  std::string give_note(const web::PageCommand& command) const;

  std::string folder_;
  std::string person_;
  std::mutex mutex_;  // guards all below but the thread
  std::condition_variable woken_;
  bool ends_ = false;
  bool wanted_ = true;  // someone looked since the last question
  web::NodeAnswer answer_;
  std::deque<web::PageCommand> commands_;
  std::vector<web::CommandOutcome> outcomes_;
  std::thread thread_;
};

}  // namespace trestle::cli
