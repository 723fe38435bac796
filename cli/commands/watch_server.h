#pragma once

#include <string>
#include <vector>

namespace trestle::cli {

struct WatchServerOptions {
  std::vector<std::string> folders;  ///< one, or two to compare
  std::string listen;                ///< "127.0.0.1:8080", "[::1]:0", "8080"
  std::string person;                ///< name that the person gave; may be empty
  std::vector<std::string> allow;    ///< "hold", "stop"
  std::string viewer_token;          ///< file with a second token, of viewers; may be empty
  bool insecure = false;             ///< another address than this host's own
};

/// Serves the page of a test until it is interrupted. Prints its address with the token.
/// @returns the exit code
int serve_watch_page(const WatchServerOptions& options);

}  // namespace trestle::cli
