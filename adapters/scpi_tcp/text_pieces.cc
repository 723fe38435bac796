#include "adapters/scpi_tcp/text_pieces.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "adapters/plugin/setting_values.h"

namespace trestle::scpi_tcp {
namespace {

using plugin::refuse;

constexpr std::string_view kOfNumbers = "0123456789.+-";
constexpr std::string_view kOfExponents = "eE";

bool contains(std::string_view letters, char letter) noexcept {
  return letters.find(letter) != std::string_view::npos;
}

bool is_name_letter(char letter) noexcept {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

/// @param inside  what stands between the braces
TextPiece place_of(const std::string& path, const std::string& inside) {
  const std::size_t colon = std::min(inside.find(':'), inside.size());
  TextPiece place{true, inside.substr(0, colon),
                  colon < inside.size() ? inside.substr(colon + 1) : ""};
  if (place.text.empty() ||
      !std::all_of(place.text.begin(), place.text.end(), is_name_letter))
    refuse(path, "has the place {" + inside +
                     "}; its name must be letters, digits and _ (a brace of the text is "
                     "written twice)");
  return place;
}

void add_letter(std::vector<TextPiece>& pieces, char letter) {
  if (pieces.empty() || pieces.back().is_place) pieces.push_back({});
  pieces.back().text += letter;
}

}  // namespace

std::vector<TextPiece> split_text(const std::string& path, const std::string& text) {
  std::vector<TextPiece> pieces;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool brace = letter == '{' || letter == '}';
    if (brace && i + 1 < text.size() && text[i + 1] == letter) {
      add_letter(pieces, letter);
      ++i;
    } else if (letter == '{') {
      const std::size_t end = text.find('}', i);
      if (end == std::string::npos)
        refuse(path, "is " + text + "; its { at character " + std::to_string(i + 1) +
                         " has no } behind it");
      pieces.push_back(place_of(path, text.substr(i + 1, end - i - 1)));
      i = end;
    } else if (letter == '}') {
      refuse(path, "is " + text + "; its } at character " + std::to_string(i + 1) +
                       " has no { before it");
    } else if (static_cast<unsigned char>(letter) < ' ' && letter != '\t') {
      refuse(path, "contains a control character; a line is text, and its end is line_end");
    } else {
      add_letter(pieces, letter);
    }
  }
  if (pieces.empty()) refuse(path, "is empty; give a line of text");
  return pieces;
}

void refuse_ambiguous(const std::string& path, const std::vector<TextPiece>& pieces) {
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const TextPiece& piece = pieces[i];
    const TextPiece& next = pieces[i + 1];
    if (piece.is_place && next.is_place)
      refuse(path, "has nothing between {" + piece.text + "} and {" + next.text +
                       "}; no reader finds where one number ends. Put a comma between");
    if (piece.is_place && (contains(kOfNumbers, next.text.front()) ||
                           contains(kOfExponents, next.text.front())))
      refuse(path, "has `" + next.text.substr(0, 1) + "` directly behind {" + piece.text +
                       "}, which could be a part of the number. Put a blank or another "
                       "letter between");
    if (next.is_place && contains(kOfNumbers, piece.text.back()))
      refuse(path, "has `" + piece.text.substr(piece.text.size() - 1) +
                       "` directly before {" + next.text +
                       "}, which could be a part of the number. Put a blank or another "
                       "letter between");
  }
}

std::string text_without_places(const std::string& path, const std::string& text) {
  std::string plain;
  for (const TextPiece& piece : split_text(path, text)) {
    if (piece.is_place)
      refuse(path, "has the place {" + piece.text +
                       "}; this line has none (a brace of the text is written twice)");
    plain += piece.text;
  }
  return plain;
}

}  // namespace trestle::scpi_tcp
