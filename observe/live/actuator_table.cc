#include "observe/live/actuator_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "observe/live/actuator_text.h"

namespace trestle::live {
namespace {

enum Column {
  kName,
  kTarget,
  kMeasured,
  kForce,
  kDelay,
  kError,
  kBar,
  kNearest,
  kDetail,
  kColumns
};
constexpr std::array<const char*, kColumns> kHeadings{
    "", "target", "measured", "force", "late", "error", "", "nearest limit", ""};
// Those named first are the last to be left out.
constexpr std::array<Column, kColumns> kByRank{kName, kMeasured, kNearest, kForce, kTarget,
                                               kBar,  kDetail,   kError,   kDelay};
constexpr std::size_t kBarWidth = 10;
constexpr std::size_t kBetweenColumns = 2;
// Above these parts of a limit a row is emphasised.
constexpr double kWarning = 0.60;
constexpr double kAlarm = 0.85;

using Cells = std::array<std::string, kColumns>;

std::string bar(double ratio, bool plain) {
  const auto full = static_cast<std::size_t>(
      std::lround(std::clamp(ratio, 0.0, 1.0) * static_cast<double>(kBarWidth)));
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i)
    text += i < full ? (plain ? "#" : "\u2588") : (plain ? "." : "\u2591");
  return text;
}

Cells cells_of(const ActuatorView& actuator, bool plain) {
  const ActuatorText text(actuator);
  return {text.name(), text.target(), text.measured(), text.force(), text.delay(),
          text.error(),
          // An empty bar would say that no limit is used.
          actuator.is_use_known() ? bar(text.nearest_ratio(), plain) : std::string(),
          text.nearest(), text.nearest_detail()};
}

Emphasis emphasis_of(const ActuatorView& actuator) {
  if (!actuator.is_use_known()) return Emphasis::kWarning;
  const double ratio = ActuatorText(actuator).nearest_ratio();
  if (ratio >= kAlarm) return Emphasis::kAlarm;
  return ratio >= kWarning ? Emphasis::kWarning : Emphasis::kNone;
}

std::array<bool, kColumns> fitting(const std::array<std::size_t, kColumns>& widths,
                                   std::size_t width) {
  std::array<bool, kColumns> shown{};
  std::size_t used = 0;
  for (const Column column : kByRank) {
    const std::size_t more = widths[column] + (used > 0 ? kBetweenColumns : 0);
    if (used > 0 && used + more > width) break;
    shown[column] = true;
    used += more;
  }
  return shown;
}

bool is_number(std::size_t column) {
  return column >= kTarget && column <= kError;
}

}  // namespace

std::vector<ScreenRow> actuator_table(const std::vector<ActuatorView>& actuators,
                                      const ActuatorTableStyle& style) {
  std::vector<Cells> table{Cells{}};
  for (std::size_t i = 0; i < kColumns; ++i) table[0][i] = kHeadings[i];
  for (const ActuatorView& actuator : actuators)
    table.push_back(cells_of(actuator, style.plain));
  const std::size_t mark = 2;  // columns in front of the name
  std::array<std::size_t, kColumns> widths{};
  for (const Cells& cells : table)
    for (std::size_t i = 0; i < kColumns; ++i)
      widths[i] = std::max(widths[i], display_width(cells[i]));
  const std::size_t room = style.width > mark ? style.width - mark : 0;
  const std::array<bool, kColumns> shown = fitting(widths, room);
  std::vector<ScreenRow> rows;
  const std::size_t end = std::min(actuators.size(), style.first + style.rows);
  for (std::size_t at = 0; at < table.size(); ++at) {
    if (at > 0 && (at - 1 < style.first || at - 1 >= end)) continue;
    std::string text = at > 0 && at - 1 == style.marked ? "> " : "  ";
    bool first = true;
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (!shown[i]) continue;
      if (!first) text += std::string(kBetweenColumns, ' ');
      text += is_number(i) ? pad_left(table[at][i], widths[i])
                           : pad_right(table[at][i], widths[i]);
      first = false;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    rows.push_back({cut_to_width(text, style.width),
                    at == 0 ? Emphasis::kFaint : emphasis_of(actuators[at - 1])});
  }
  return rows;
}

}  // namespace trestle::live
