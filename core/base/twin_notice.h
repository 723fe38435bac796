#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trestle {

/// The sentence for everybody who sees a test in which a site's laboratory takes no part:
/// its simulated twin stands for it.
inline std::string twin_notice(std::string_view site) {
  return "TWIN: site " + std::string(site) +
         " is simulated by its twin; its laboratory is not connected";
}

/// The sites whose twins stand for them, as meta_key::kTwins keeps them: "west,east".
inline std::vector<std::string> read_twins(std::string_view fact) {
  std::vector<std::string> sites;
  while (!fact.empty()) {
    const std::size_t end = fact.find(',');
    sites.emplace_back(fact.substr(0, end));
    fact = end == std::string_view::npos ? std::string_view{} : fact.substr(end + 1);
  }
  return sites;
}

}  // namespace trestle
