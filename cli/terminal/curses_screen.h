#pragma once

#include <cstddef>
#include <vector>

#include "observe/live/screen_text.h"

namespace trestle::cli {

inline constexpr int kBackspaceKey = 0407;  ///< as ncurses tells it

/// The terminal as a screen, by ncurses. Writes only what changed, follows changes of size,
/// and gives the terminal back as it was. One at a time.
class CursesScreen {
 public:
  static constexpr int kNoKey = -1;

  /// @param colour  false: bold and reverse only
  /// @throws std::runtime_error if the terminal is not known
  explicit CursesScreen(bool colour);
  ~CursesScreen();
  CursesScreen(const CursesScreen&) = delete;
  CursesScreen& operator=(const CursesScreen&) = delete;

  std::size_t width() const;
  std::size_t height() const;
  /// The locale shows letters beyond ASCII.
  bool shows_utf8() const noexcept { return utf8_; }

  void draw(const std::vector<live::ScreenRow>& rows);

  /// Waits for a key. @returns kNoKey: none came, or the size changed
  int key(int milliseconds);

 private:
  bool colour_;
  bool utf8_;
};

}  // namespace trestle::cli
