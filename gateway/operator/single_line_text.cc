#include "gateway/operator/single_line_text.h"

#include <cstddef>
#include <utility>

#include "core/base/legible_text.h"

namespace trestle::operators {

std::string single_line_text(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) text[i] = ' ';
    if (byte != 0xc2 || i + 1 == text.size()) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (next >= 0x80 && next < 0xa0) text[i] = text[i + 1] = ' ';
  }
  return without_direction_marks(std::move(text));
}

}  // namespace trestle::operators
