#pragma once

#include <string>

#include "site-servers/node/site_node.h"

namespace trestle {

/// Keeps a site's fault in its folder, in the file `fault`, as long as nobody has cleared
/// it: the program that is started again, by whomever, begins with it (P2).
class FaultLatch {
 public:
  explicit FaultLatch(const std::string& folder);

  /// The sentence of the fault that was left behind; empty: none.
  const std::string& reason() const noexcept { return reason_; }

  /// Between two ticks: writes the file when the site meets a fault, removes it when that
  /// is cleared.
  /// @throws std::runtime_error where it cannot be written
  void follow(const SiteNode& site);

 private:
  std::string path_;
  std::string reason_;
};

}  // namespace trestle
