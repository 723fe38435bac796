#pragma once

#include <optional>
#include <string>

#include "core/base/file_descriptor.h"
#include "core/base/time.h"

namespace trestle::operators {

/// One caller of the operators' channel. Never waits, and never holds more than one longest
/// request and one answer: while an answer is not taken there is no next line.
class OperatorConnection final {
 public:
  OperatorConnection(FileDescriptor socket, TimePoint now);

  /// Reads the received bytes, and sends the rest of the reply.
  void move_bytes(TimePoint now);

  /// The next request, its end not included; none while an answer is under way.
  std::optional<std::string> next_line();
  /// A line is longer than any request.
  bool too_long() const noexcept;

  /// @pre no answer is under way
  void answer(std::string line, TimePoint now);
  /// Answers, and is done once that has gone.
  void answer_and_end(std::string line, TimePoint now);

  bool done() const noexcept;
  /// When bytes moved last.
  TimePoint active() const noexcept { return active_; }

 private:
  void send_some(TimePoint now);
  void receive_some(TimePoint now);

  FileDescriptor socket_;
  std::string in_;
  std::string out_;
  TimePoint active_;
  bool deaf_ = false;  // nothing more comes, or is wanted
  bool lost_ = false;
};

}  // namespace trestle::operators
