#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trestle::journal {

/// A journal whose session was begun and never brought to its end.
struct UnfinishedJournal {
  std::string path;
  std::string session;  ///< 32 hexadecimal digits
};

/// Empty if `path` does not exist, if its session ended, or if the journal has schema 1,
/// which does not record this.
std::optional<UnfinishedJournal> find_interrupted_session(const std::string& path);

/// Returns the unfinished journal in `folder` with the highest number; if several have no
/// number, the one that began last by the system clock. Skips files that are no journals or
/// are damaged.
std::optional<UnfinishedJournal> newest_unfinished(const std::string& folder);

/// The highest number that a journal in `folder` has; 0: none has one.
std::int64_t highest_number(const std::string& folder);

}  // namespace trestle::journal
