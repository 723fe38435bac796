#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trestle {

/// A journal whose session was begun and never brought to its end.
struct UnfinishedJournal {
  std::string path;
  std::string session;  ///< 32 hexadecimal digits
};

/// Empty if `path` does not exist, if its session ended, or if the journal has schema 1,
/// which does not record this.
std::optional<UnfinishedJournal> find_interrupted_session(const std::string& path);

/// Of the unfinished journals in `folder` the one with the highest number; where several
/// have none, the one that was begun last by the calendar. What is no journal, or is
/// damaged, is passed over.
std::optional<UnfinishedJournal> newest_unfinished(const std::string& folder);

/// The highest number that a journal in `folder` has; 0: none has one.
std::int64_t highest_number(const std::string& folder);

}  // namespace trestle
