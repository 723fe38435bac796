#pragma once

#include <memory>
#include <string>

namespace spdlog {
class logger;
}  // namespace spdlog

namespace trestle {

/// What a site server says to the person beside the rig: lines with UTC time, on stderr and
/// in `<folder>/site.log`. Never called on the step path: between ticks, when something
/// changed.
class SiteLog {
 public:
  /// @throws std::runtime_error where the file cannot be written
  explicit SiteLog(const std::string& folder);
  ~SiteLog();
  SiteLog(const SiteLog&) = delete;
  SiteLog& operator=(const SiteLog&) = delete;

  void say(const std::string& line);
  /// Something that a person should look at.
  void warn(const std::string& line);

 private:
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace trestle
