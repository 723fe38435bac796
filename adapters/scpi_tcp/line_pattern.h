#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/scpi_tcp/text_pieces.h"

namespace trestle::scpi_tcp {

/// What an answer may look like: text with places for numbers (`DISP {value} mm`), or with
/// one place for any text (`ERR {text}`). A blank stands for one or more blanks; blanks
/// before and behind a number and at both ends of a line do not count. The decimal point is
/// a point, whatever the locale.
class LinePattern {
 public:
  /// @param path  of the setting, for the sentence
  /// @throws std::runtime_error  the text cannot be parsed back without ambiguity
  LinePattern(const std::string& path, const std::string& text);

  /// As the settings give it.
  const std::string& text() const noexcept { return text_; }
  /// Names of the places for numbers, in their order; `skip` may come several times.
  const std::vector<std::string>& places() const noexcept { return places_; }
  /// Whether it has the place {text}.
  bool takes_any_text() const noexcept { return any_text_; }

  /// Compares a line with the pattern; allocates nothing.
  /// @param numbers  one for each place; undefined after a line that does not match
  bool matches(std::string_view line, std::span<double> numbers) const noexcept;
  /// Whether a line of this pattern can be one of another, by samples with different
  /// numbers.
  bool can_be(const LinePattern& other) const;

 private:
  std::string with_number(const std::string& number) const;

  std::string text_;
  std::vector<TextPiece> pieces_;
  std::vector<std::string> places_;
  bool any_text_ = false;
};

}  // namespace trestle::scpi_tcp
