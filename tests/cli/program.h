#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace trestle::cli {

/// The real program, started as a user would, with its two outputs in pipes. Every wait has
/// a deadline; one that is alive when this dies is killed.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const std::string& folder);
  /// @param in_child  called between fork and exec: limits and the like
  Program(const std::vector<std::string>& arguments, const std::string& folder,
          const std::function<void()>& in_child);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Until stderr holds `text` behind what was waited for before.
  /// @returns false if the program ended or long has passed
  bool says(const std::string& text);
  void signal(int number) const;
  pid_t pid() const noexcept { return child_; }
  /// From now on its output is not read.
  void stop_reading();
  /// Until it ends. @returns its exit code, 128 + the signal that ended it, -1 when late
  int exit_code();

  const std::string& out() const noexcept { return out_; }
  const std::string& err() const noexcept { return err_; }
  /// All that it has written to its error stream by now.
  const std::string& heard();

 private:
  using Clock = std::chrono::steady_clock;

  bool read_some(Clock::time_point deadline);

  pid_t child_ = -1;
  int out_pipe_ = -1;
  int err_pipe_ = -1;
  std::string out_;
  std::string err_;
  std::size_t heard_ = 0;
};

}  // namespace trestle::cli
