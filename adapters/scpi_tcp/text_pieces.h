#pragma once

#include <string>
#include <vector>

namespace trestle::scpi_tcp {

/// A part of a line in the settings: text as it is, or a place for a value.
struct TextPiece {
  bool is_place = false;
  std::string text;      ///< of a place: its name
  std::string format{};  ///< of a place: what stands behind its colon
};

/// Splits `POS 1,{drive:.6f}` into text and places. `{{` and `}}` are braces of the text.
/// @param path  of the setting, for the sentence
/// @throws std::runtime_error  a brace has no partner, a place has no name, the text is
///         empty or contains a control character
std::vector<TextPiece> split_text(const std::string& path, const std::string& text);

/// Checks that a reader of the line finds where each number begins and ends.
/// @throws std::runtime_error  two numbers touch, or a text that touches a number could be
///         a part of it
void refuse_ambiguous(const std::string& path, const std::vector<TextPiece>& pieces);

/// Returns the text of a line without places.
/// @throws std::runtime_error  it has one
std::string text_without_places(const std::string& path, const std::string& text);

}  // namespace trestle::scpi_tcp
