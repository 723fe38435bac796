#include "cli/terminal/qr_picture.h"

#include <qrencode.h>

#include <memory>

namespace trestle::cli {
namespace {

constexpr int kMargin =
    2;  // modules; cameras find a code with less than the standard's four
constexpr const char* kDarkOnWhite = "\x1b[38;2;0;0;0;48;2;255;255;255m";
constexpr const char* kOwnColours = "\x1b[0m";

struct FreeCode {
  void operator()(QRcode* code) const noexcept { QRcode_free(code); }
};

bool is_dark(const QRcode& code, int row, int column) {
  const bool inside = row >= 0 && column >= 0 && row < code.width && column < code.width;
  return inside && (code.data[row * code.width + column] & 1U) != 0;
}

}  // namespace

std::vector<std::string> qr_picture(std::string_view text) {
  const std::unique_ptr<QRcode, FreeCode> code(
      QRcode_encodeString8bit(std::string(text).c_str(), 0, QR_ECLEVEL_M));
  std::vector<std::string> lines;
  if (!code) return lines;
  for (int row = -kMargin; row < code->width + kMargin; row += 2) {
    std::string line = kDarkOnWhite;
    for (int column = -kMargin; column < code->width + kMargin; ++column) {
      const bool upper = is_dark(*code, row, column);
      const bool lower = is_dark(*code, row + 1, column);
      line += upper ? (lower ? "\u2588" : "\u2580") : (lower ? "\u2584" : " ");
    }
    lines.push_back(line + kOwnColours);
  }
  return lines;
}

}  // namespace trestle::cli
