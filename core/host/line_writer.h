#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace trestle {

/// Writes text to a descriptor on a thread of its own: a reader who has stopped reading
/// stops nobody here. What finds no room is dropped and counted, and the number is written
/// where the text is missing.
class LineWriter {
 public:
  /// @param descriptor  stays open while this lives, and is not closed by it
  /// @param room        texts that may wait
  explicit LineWriter(int descriptor, std::size_t room = 1024);
  /// What goes within a second still goes.
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

}  // namespace trestle
