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
  std::string certificate;           ///< file in PEM, for TLS; may be empty
  std::string key;                   ///< of the certificate
  bool insecure = false;             ///< another address than this host's own, without TLS
};

/// The file of the persons who may look at pages of this host.
/// @throws std::runtime_error if this host has no state folder
std::string watch_key_file();

/// Serves the page of a test until it is interrupted. Prints its address with the token.
/// @returns the exit code
int serve_watch_page(const WatchServerOptions& options);

}  // namespace trestle::cli
