#pragma once

#include <netinet/in.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace trestle::scpi_tcp {

/// Lines of text over a TCP connection. One thread opens, waits and receives; send() and
/// wake() may be called beside it from any thread or signal handler: the descriptor is the
/// same from the constructor to the destructor, whatever is connected to it.
class LineSocket {
 public:
  /// Looks up the address; does not connect.
  /// @param server  HOST:PORT
  /// @throws std::runtime_error  the address is unknown, or the system gives no socket
  LineSocket(const std::string& server, const std::string& line_end);
  ~LineSocket();
  LineSocket(const LineSocket&) = delete;
  LineSocket& operator=(const LineSocket&) = delete;

  /// Connects again, in the place of an earlier connection; forgets what that one sent.
  /// @param given_up  ends the wait when it returns true; asked after each wake()
  /// @throws std::runtime_error  it cannot be reached within `patience` [s]
  void open(double patience, const std::function<bool()>& given_up);
  /// Ends the connection: what is sent afterwards goes nowhere.
  void shut() noexcept;
  /// Says the end, and waits for that of the other side, at most `patience` [s].
  void leave(double patience) noexcept;

  /// Sends whole lines with their ends, in one piece. Neither waits nor allocates.
  /// @returns false: the other side takes no more, or is not connected
  bool send(std::string_view lines) const noexcept;
  /// Ends a wait().
  void wake() const noexcept;
  /// Waits until wake() was called, the time has passed or, with `for_bytes`, bytes came.
  void wait(double seconds, bool for_bytes) noexcept;

  enum class Heard {
    kLine,
    kNothing,  ///< no whole line yet
    kClosed,   ///< by the other side
    kEndless   ///< more bytes than a line may have, without an end
  };
  /// Takes the next whole line that came. Does not wait.
  /// @param line  without its end; valid until the next call
  Heard next_line(std::string_view& line) noexcept;
  /// What came of a line without an end.
  std::string_view begun_line() const noexcept;

  static constexpr std::size_t kLongestLine = 1024;

 private:
  void connect_to(int made, double patience, const std::function<bool()>& given_up) const;

  const std::string server_;
  const char end_;  // last letter of a line's end
  const sockaddr_in address_;
  int socket_ = -1;
  int wakeup_ = -1;
  std::array<char, kLongestLine> bytes_{};
  std::size_t from_ = 0;  // of what is not taken yet
  std::size_t to_ = 0;
};

}  // namespace trestle::scpi_tcp
