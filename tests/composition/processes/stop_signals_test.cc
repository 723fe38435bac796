#include "composition/processes/stop_signals.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "core/host/person.h"

namespace trestle::composition::stop_signals_test {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr int kSliceMs = 100;

void wake_by_byte(void* pipe) {
  [[maybe_unused]] const ssize_t written =
      write(static_cast<std::array<int, 2>*>(pipe)->at(1), "!", 1);
}

// In slices: the thread sanitizer keeps a signal that comes just before poll() until poll()
// returns.
bool readable(int file) {
  pollfd one{file, POLLIN, 0};
  for (int waited = 0; waited < kPatienceMs; waited += kSliceMs)
    if (poll(&one, 1, kSliceMs) > 0) return true;
  return false;
}

/// In the process at the terminal: says when it listens, then what the signal meant.
[[noreturn]] void listen_and_tell(int tell) {
  std::array<int, 2> woken{};
  if (pipe(woken.data()) != 0) _exit(1);
  const StopSignals signals(wake_by_byte, &woken);
  // The thread sanitizer of g++ 12 loses a signal that comes while it enters the first
  // blocking call of a thread (it makes two places for it and keeps the empty one): one
  // call before.
  poll(nullptr, 0, 0);
  if (write(tell, "listens\n", 8) != 8 || !readable(woken[0])) _exit(1);
  AskedBySignal asked;
  if (!StopSignals::take(asked)) _exit(1);
  const SignalWord word = word_of(asked, "ada");
  const std::string text = word.from + ": " + word.reason;
  _exit(write(tell, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

/// A process that leads the session of a terminal of its own.
class AtATerminal {
 public:
  AtATerminal() {
    if (pipe(told_.data()) != 0) return;
    child_ = forkpty(&keyboard_, nullptr, nullptr, nullptr);
    if (child_ == 0) listen_and_tell(told_[1]);
    close(told_[1]);
  }
  ~AtATerminal() {
    hang_up();
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(told_[0]);
  }
  AtATerminal(const AtATerminal&) = delete;
  AtATerminal& operator=(const AtATerminal&) = delete;

  /// What it tells next; empty if it ended.
  std::string tells() const {
    std::array<char, 512> text{};
    if (!readable(told_[0])) return "nothing in a minute";
    const ssize_t size = read(told_[0], text.data(), text.size());
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
  }
  void press(char key) const { ASSERT_EQ(write(keyboard_, &key, 1), 1); }
  void hang_up() {
    if (keyboard_ >= 0) close(keyboard_);
    keyboard_ = -1;
  }
  pid_t pid() const noexcept { return child_; }

 private:
  std::array<int, 2> told_{-1, -1};
  int keyboard_ = -1;
  pid_t child_ = -1;
};

TEST(StopSignals, NameTheTerminalsUserForCtrlC) {
  const AtATerminal process;
  ASSERT_EQ(process.tells(), "listens\n");
  process.press('\x03');
  EXPECT_EQ(process.tells(), "terminal: Ctrl-C by " + host::this_person("ada").text);
}

TEST(StopSignals, NameTheTerminalsUserForItsEnd) {
  AtATerminal process;
  ASSERT_EQ(process.tells(), "listens\n");
  process.hang_up();
  EXPECT_EQ(process.tells(), "terminal: the end of the terminal (SIGHUP) by " +
                                 host::this_person("ada").text);
}

// --as names who sits at the terminal, not who sends a signal from elsewhere.
TEST(StopSignals, NameTheSenderOfASignalFromElsewhere) {
  const AtATerminal process;
  ASSERT_EQ(process.tells(), "listens\n");
  ASSERT_EQ(kill(process.pid(), SIGINT), 0);
  EXPECT_EQ(process.tells(),
            "signal: SIGINT by " + host::person_behind(getpid(), getuid()).text);
}

}  // namespace
}  // namespace trestle::composition::stop_signals_test
