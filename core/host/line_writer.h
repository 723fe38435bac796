#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace trestle::host {

/// Writes text to a descriptor on a separate thread, so that a reader who stops reading
/// blocks no other thread. A line that finds the queue full is dropped and counted; the
/// count is written in its place.
class LineWriter {
 public:
  /// @param descriptor  must outlive this object, which does not close it
  /// @param room        capacity in texts
  explicit LineWriter(int descriptor, std::size_t room = 1024);
  /// Writes the remaining lines for at most a second.
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// Never waits for the reader. @param text  with its line's end
  void write(std::string text);
  /// Keeps a line, without its end, behind all that is written: drawn over itself, and
  /// again below each text. For a terminal. Empty: takes it away. Never waits either.
  void renew(std::string line);
  /// Texts that were not written since this was made.
  std::uint64_t dropped() const noexcept;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

/// Writes the text of a process that ends immediately afterwards; does without its reader
/// after two seconds. From any thread. @param text  with its line's end
void write_last_words(int descriptor, const char* text) noexcept;

}  // namespace trestle::host
