#pragma once

#include <string>

namespace trestle {

struct WatchOptions {
  std::string where;      ///< a run's folder, a site's, or a site's name
  std::string as;         ///< name that the person gave; may be empty
  bool once = false;      ///< print one screen and end
  bool plain = false;     ///< ASCII, no colour
  std::size_t width = 0;  ///< of `once`; 0: the terminal's, else 80
};
/// @param folder  of `where`, as found
int watch(const std::string& folder, const WatchOptions& options);

}  // namespace trestle
