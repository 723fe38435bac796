#include "cli/terminal/curses_screen.h"

#include <langinfo.h>
#include <ncurses.h>

#include <clocale>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace trestle::cli {
namespace {

constexpr int kEscapeDelay = 50;  // [ms]
static_assert(kBackspaceKey == KEY_BACKSPACE);

short pair_of(live::Emphasis emphasis) {
  switch (emphasis) {
    case live::Emphasis::kGood:
      return 1;
    case live::Emphasis::kWarning:
      return 2;
    case live::Emphasis::kAlarm:
      return 3;
    default:
      return 0;
  }
}

attr_t attributes_of(live::Emphasis emphasis) {
  switch (emphasis) {
    case live::Emphasis::kStrong:
    case live::Emphasis::kGood:
    case live::Emphasis::kWarning:
      return A_BOLD;
    case live::Emphasis::kAlarm:
      return A_BOLD | A_REVERSE;
    case live::Emphasis::kFaint:
      return A_DIM;
    case live::Emphasis::kNone:
      break;
  }
  return A_NORMAL;
}

/// Names come from other nodes: nothing in them moves the cursor.
std::string without_controls(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  return text;
}

}  // namespace

CursesScreen::CursesScreen(bool colour) : colour_(colour) {
  std::setlocale(LC_CTYPE, "");
  utf8_ = std::string(nl_langinfo(CODESET)) == "UTF-8";
  set_escdelay(kEscapeDelay);
  if (newterm(nullptr, stdout, stdin) == nullptr)
    throw std::runtime_error("the terminal is not known (TERM); set TERM, or use --once");
  cbreak();
  noecho();
  curs_set(0);
  keypad(stdscr, TRUE);
  colour_ = colour_ && has_colors();
  if (!colour_) return;
  start_color();
  use_default_colors();
  init_pair(pair_of(live::Emphasis::kGood), COLOR_GREEN, -1);
  init_pair(pair_of(live::Emphasis::kWarning), COLOR_YELLOW, -1);
  init_pair(pair_of(live::Emphasis::kAlarm), COLOR_RED, -1);
}

CursesScreen::~CursesScreen() {
  endwin();
}

std::size_t CursesScreen::width() const {
  return static_cast<std::size_t>(getmaxx(stdscr));
}

std::size_t CursesScreen::height() const {
  return static_cast<std::size_t>(getmaxy(stdscr));
}

void CursesScreen::draw(const std::vector<live::ScreenRow>& rows) {
  werase(stdscr);
  for (std::size_t i = 0; i < rows.size() && i < height(); ++i) {
    const live::Emphasis emphasis = rows[i].emphasis;
    wattr_set(stdscr, attributes_of(emphasis),
              static_cast<short>(colour_ ? pair_of(emphasis) : 0), nullptr);
    const std::string text = live::cut_to_width(without_controls(rows[i].text), width());
    mvwaddstr(stdscr, static_cast<int>(i), 0, text.c_str());
  }
  wattr_set(stdscr, A_NORMAL, 0, nullptr);
  wrefresh(stdscr);
}

int CursesScreen::key(int milliseconds) {
  wtimeout(stdscr, milliseconds);
  const int pressed = wgetch(stdscr);
  return pressed == ERR || pressed == KEY_RESIZE ? kNoKey : pressed;
}

}  // namespace trestle::cli
