#pragma once

#include <optional>
#include <string_view>

namespace trestle::yaml {

/// A place in a text, counted from 1.
struct TextPlace {
  int line = 1;
  int column = 1;
};

/// The first byte that belongs to no text: not UTF-8, or a control character other than
/// tab, line feed and carriage return. Nothing if all is text.
std::optional<TextPlace> find_invalid_utf8(std::string_view text);

/// The first tab among the white space that begins a line; YAML indents by spaces only.
std::optional<TextPlace> first_indenting_tab(std::string_view text);

}  // namespace trestle::yaml
