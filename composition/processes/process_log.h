#pragma once

#include <string>

#include "core/host/line_writer.h"

namespace trestle::composition {

/// The log of a server: lines with UTC time, on stderr and in `<folder>/site.log`. No
/// caller waits until a line is written: lines without space are dropped, and both outputs
/// state their number. Never called on the step path, only between ticks.
class ProcessLog {
 public:
  /// @throws std::runtime_error if the file cannot be written
  explicit ProcessLog(const std::string& folder);
  ~ProcessLog();
  ProcessLog(const ProcessLog&) = delete;
  ProcessLog& operator=(const ProcessLog&) = delete;

  void say(const std::string& line);
  /// Something that a person should look at.
  void warn(const std::string& line);
  /// For other output to the terminal.
  host::LineWriter& terminal() noexcept { return terminal_; }

 private:
  void write(const std::string& line);

  int file_descriptor_;
  host::LineWriter file_;
  host::LineWriter terminal_;
  bool told_ = false;  ///< that stderr is not read
};

}  // namespace trestle::composition
