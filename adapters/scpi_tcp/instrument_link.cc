#include "adapters/scpi_tcp/instrument_link.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <stdexcept>

#include "adapters/plugin/monotonic_ns.h"

namespace trestle::scpi_tcp {
namespace {

constexpr std::size_t kShownLetters = 60;
constexpr double kFarewell = 0.2;  // [s] for an instrument that has heard the end

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

/// A line of the instrument, fit to print.
std::string shown(std::string_view line) {
  std::string text(line.substr(0, kShownLetters));
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ' ||
        static_cast<unsigned char>(letter) > '~')
      letter = '?';
  return "`" + text + (line.size() > kShownLetters ? "...`" : "`");
}

std::string in_seconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g s", seconds);
  return text.data();
}

}  // namespace

InstrumentLink::InstrumentLink(const InstrumentSettings& settings)
    : settings_(settings),
      socket_(settings.server, settings.line_end),
      commands_{&settings.hold, &settings.stop},
      lines_{settings.hold.send + settings.line_end,
             settings.stop.send.empty() ? "" : settings.stop.send + settings.line_end} {}

std::int64_t InstrumentLink::patience_ns() const noexcept {
  return static_cast<std::int64_t>(1e9 * std::min(settings_.answer, 1e6));
}

void InstrumentLink::open() {
  open_ = false;
  socket_.open(settings_.connect, [this] { return abandoned_.load(); });
  for (std::atomic<int>& due : due_) due.store(0);
  open_ = true;
}

void InstrumentLink::leave() noexcept {
  socket_.leave(kFarewell);
}

void InstrumentLink::abandon() noexcept {
  abandoned_.store(true);
  socket_.wake();
}

void InstrumentLink::send_urgent(Urgent which) noexcept {
  if (lines_[which].empty()) return;
  const bool answered = commands_[which]->answer.has_value();
  // Counted before: its answer may come at once.
  if (answered) due_[which].fetch_add(1);
  if (!socket_.send(lines_[which]) && answered) due_[which].fetch_sub(1);
  socket_.wake();
}

void InstrumentLink::say(const std::string& line) {
  std::string_view early;
  while (hear(early, 0)) refuse_unasked(early);
  if (socket_.send(line + settings_.line_end)) return;
  hear(early, 0);  // throws where the connection is closed
  fail("takes no more lines");
}

bool InstrumentLink::hear(std::string_view& line, std::int64_t until_ns) {
  for (;;) {
    switch (socket_.next_line(line)) {
      case LineSocket::Heard::kLine:
        return true;
      case LineSocket::Heard::kClosed:
        fail("closed the connection");
      case LineSocket::Heard::kEndless:
        fail("sends a line without an end: " + std::to_string(LineSocket::kLongestLine) +
             " bytes so far, beginning with " + shown(socket_.begun_line()));
      case LineSocket::Heard::kNothing:
        break;
    }
    if (abandoned_.load()) fail("is not waited for any more");
    const std::int64_t left = until_ns - plugin::monotonic_ns();
    if (left <= 0) return false;
    socket_.wait(1e-9 * static_cast<double>(left), true);
  }
}

void InstrumentLink::hear_answer(const std::string& line, const LinePattern& answer,
                                 std::span<double> numbers) {
  const std::int64_t until = plugin::monotonic_ns() + patience_ns();
  std::string_view came;
  while (hear(came, until)) {
    refuse_error(came, line);
    if (answer.matches(came, numbers)) return;
    if (!take_urgent_answer(came))
      throw WrongAnswer("answers `" + line + "` with " + shown(came) + "; must be `" +
                        answer.text() + "`");
  }
  const std::string_view begun = socket_.begun_line();
  fail("did not answer `" + line + "` within " + in_seconds(settings_.answer) +
       (begun.empty() ? "" : "; the line " + shown(begun) + " has no end"));
}

void InstrumentLink::hear_urgent_answers() {
  const std::int64_t until = plugin::monotonic_ns() + patience_ns();
  for (std::size_t which = 0; which < due_.size(); ++which) {
    std::string_view came;
    while (due_[which].load() > 0) {
      if (!hear(came, until))
        fail("did not answer `" + commands_[which]->send + "` within " +
             in_seconds(settings_.answer));
      refuse_unasked(came);
    }
  }
}

void InstrumentLink::idle(std::int64_t until_ns) {
  const std::int64_t left = until_ns - plugin::monotonic_ns();
  if (left > 0) socket_.wait(1e-9 * static_cast<double>(left), open_);
  if (!open_) return;
  std::string_view came;
  while (hear(came, 0)) refuse_unasked(came);
}

bool InstrumentLink::take_urgent_answer(std::string_view line) noexcept {
  for (std::size_t which = 0; which < due_.size(); ++which) {
    if (due_[which].load() <= 0 || !commands_[which]->answer->matches(line, {})) continue;
    due_[which].fetch_sub(1);
    return true;
  }
  return false;
}

void InstrumentLink::refuse_error(std::string_view line, const std::string& asked) const {
  if (settings_.error && settings_.error->matches(line, {}))
    fail("says " + shown(line) + (asked.empty() ? "" : " to `" + asked + "`"));
}

void InstrumentLink::refuse_unasked(std::string_view line) {
  refuse_error(line, "");
  if (!take_urgent_answer(line))
    fail("says " + shown(line) + ", for which no line has asked");
}

}  // namespace trestle::scpi_tcp
