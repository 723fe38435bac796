#include "cli/terminal/held_key.h"

#include <poll.h>
#include <unistd.h>

#include <array>

namespace trestle::cli {

HeldKey::HeldKey() : last_(Clock::now()) {
  if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios raw = before_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  changed_ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0;
}

HeldKey::~HeldKey() {
  // What was typed meanwhile is no command to the shell.
  if (changed_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
}

bool HeldKey::possible() noexcept {
  return isatty(STDIN_FILENO) == 1;
}

bool HeldKey::is_held(std::chrono::milliseconds wait) {
  is_pressed(wait);
  return Clock::now() - last_ < kReleased;
}

bool HeldKey::is_pressed(std::chrono::milliseconds wait) {
  pollfd keys{STDIN_FILENO, POLLIN, 0};
  std::array<char, 256> typed{};
  const bool pressed = ::poll(&keys, 1, static_cast<int>(wait.count())) > 0 &&
                       read(STDIN_FILENO, typed.data(), typed.size()) > 0;
  if (pressed) last_ = Clock::now();
  return pressed;
}

void HeldKey::forget() noexcept {
  tcflush(STDIN_FILENO, TCIFLUSH);
}

}  // namespace trestle::cli
