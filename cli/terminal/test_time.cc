#include "cli/terminal/test_time.h"

#include <cmath>

#include "core/base/number_text.h"

namespace trestle::cli {

std::optional<double> read_test_time(std::string text) {
  if (text.ends_with('s')) text.pop_back();
  while (text.ends_with(' ')) text.pop_back();
  const std::optional<double> time = parse_number(text);
  return time && std::abs(*time) < 1e9 ? time : std::nullopt;
}

}  // namespace trestle::cli
