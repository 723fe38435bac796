#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trestle::cli {

/// Makes the report of a record in a separate process (`trestle report`): a long one
/// takes half a minute and up to a gigabyte. One at a time. Thread: one.
class ReportMaker {
 public:
  /// @param folders  of one run, or of two that are laid over each other
  explicit ReportMaker(std::vector<std::string> folders);
  ~ReportMaker();
  ReportMaker(const ReportMaker&) = delete;
  ReportMaker& operator=(const ReportMaker&) = delete;

  /// Begins it if none is under way.
  /// @returns the document, for some seconds after it was made; nothing: it is under way
  /// @throws std::runtime_error with the sentence of the program that could not make it
  std::optional<std::string> take();

 private:
  using Clock = std::chrono::steady_clock;
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  void begin();

  std::vector<std::string> folders_;
  pid_t child_ = 0;  // 0: none
  Clock::time_point begun_{};
  File document_;
  File problem_;
  std::string made_;
  Clock::time_point made_at_{};
};

}  // namespace trestle::cli
