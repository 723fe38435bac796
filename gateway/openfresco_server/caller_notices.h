#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace trestle::openfresco_server {

/// Sentences about callers that are refused: each address once until the next client is
/// served, and only a limited number.
class CallerNotices {
 public:
  void say(const std::string& caller, const std::string& what) {
    if (told_.size() >= kMost) return;
    for (const std::string& each : told_)
      if (each == caller) return;
    told_.push_back(caller);
    sentences_.push_back("client " + caller + " " + what);
  }
  /// A new client is served: refused callers are reported again from now on.
  void forget() { told_.clear(); }
  std::vector<std::string> take() { return std::exchange(sentences_, {}); }

 private:
  static constexpr std::size_t kMost = 16;
  std::vector<std::string> told_;
  std::vector<std::string> sentences_;
};

/// To a second one while the first is served.
inline constexpr const char* kOnePortOneClient =
    "called while another is served, and is turned away: one port serves one client. An "
    "OpenSees model with several genericClients needs a gateway for each, or one "
    "genericClient with all DOFs; the one that was turned away may hang, so end it";

}  // namespace trestle::openfresco_server
