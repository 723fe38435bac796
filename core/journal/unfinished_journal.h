#pragma once

#include <optional>
#include <string>

namespace trestle {

/// A journal whose session was begun and never brought to its end.
struct UnfinishedJournal {
  std::string path;
  std::string session;  ///< 32 hexadecimal digits
};

/// Nothing where there is none at `path`, where its session came to its end, or where it is
/// of schema 1, which does not tell.
std::optional<UnfinishedJournal> if_unfinished(const std::string& path);

/// The same of the journal in `folder` whose session was begun last. What is no journal, or
/// is damaged, is passed over.
std::optional<UnfinishedJournal> newest_if_unfinished(const std::string& folder);

}  // namespace trestle
