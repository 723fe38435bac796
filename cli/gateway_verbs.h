#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct GatewayOptions {
  std::string listen = "127.0.0.1:8090";  ///< HOST:PORT
  std::string transport = "tcp";          ///< or udp
  std::string site;                       ///< SITE.yaml: what the client drives
  std::string out;                        ///< folder; empty: runs/gateway-<name>
  std::vector<std::string> overrides;     ///< path=value
  std::string as;                         ///< name that the person gave; may be empty
  /// How long it looks awake for the client's next word before it sleeps [us].
  int spin = 100;
  bool once = false;  ///< ends after one client
};
int openfresco_gateway(const GatewayOptions& options);

/// The command line of the verb that lets a foreign integrator drive our sites.
class GatewayVerbs {
 public:
  /// @param app  must live as long as this
  explicit GatewayVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  GatewayOptions options_;
  CLI::App* openfresco_;
};

}  // namespace trestle
