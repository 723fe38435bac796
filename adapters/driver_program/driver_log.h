#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace trestle::driver_program {

/// The driver's messages. A separate thread writes them, because a disk or a reader that
/// takes none must keep neither the keeper of holds nor the thread that calls the plug-in
/// from its work. (host::LineWriter locks and allocates: a plug-in may have used up the
/// memory, and no thread of the driver may wait for another one.) Not through stdio, whose
/// lock a thread of the plug-in may keep.
///
/// A line that finds the queue full is dropped and counted; the count is written in its
/// place.
class DriverLog {
 public:
  static constexpr std::size_t kLongestLine = 512;

  /// @param descriptor  is not closed; a writer that hangs in it is left to itself
  /// @param room        capacity in lines, at least 2
  explicit DriverLog(int descriptor, std::size_t room = 64);
  /// Writes the remaining lines for at most a second.
  ~DriverLog();
  DriverLog(const DriverLog&) = delete;
  DriverLog& operator=(const DriverLog&) = delete;

  /// A line, whose end is added. Neither waits, locks nor allocates; any number of threads.
  /// @param format  of printf
  template <typename... Values>
  void tell(const char* format, Values... values) noexcept {
    Line* const line = begin();
    if (line == nullptr) return;
    std::snprintf(line->text.data(), line->text.size() - 1, format, values...);
    end(*line);
  }
  /// Waits until all lines are written, at most so long [ns]. @returns whether they are
  bool flush(std::int64_t patience_ns) noexcept;
  /// Lines that were not written since this was made.
  std::uint64_t dropped() const noexcept;

 private:
  struct Line {
    // Number of the line that may be written here; one more: it may be read.
    std::atomic<std::uint64_t> turn{0};
    std::uint64_t number = 0;
    std::array<char, kLongestLine> text{};
  };
  struct Shared;

  Line* begin() noexcept;
  void end(Line& line) noexcept;

  std::shared_ptr<Shared> shared_;
};

}  // namespace trestle::driver_program
