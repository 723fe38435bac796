#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trestle::document {

/// The marks of an outcome: a shape, a word and a colour.
enum class OutcomeKind { kGood, kAttention, kBad };

/// A figure of the heading: "nearest limit", "71 %", "west 1 force, 178 of 250 kN".
struct KeyFigure {
  std::string label = {};
  std::string value = {};
  std::string detail = {};
};

/// A table of texts. The first cell of a row is its heading.
struct HtmlTable {
  std::string caption = {};
  std::vector<std::string> heads = {};
  std::vector<std::vector<std::string>> rows = {};
  std::size_t words_from = SIZE_MAX;  ///< columns from here on are words, not numbers
};

/// Writes one HTML document that needs nothing from outside: no script, no font, no
/// picture that is not in it. It prints on A4. Equal calls give equal bytes. Every text is
/// escaped here.
class HtmlDocument {
 public:
  /// @param title      of the window, and of the kind of document
  /// @param generator  the program and its version
  HtmlDocument(std::string_view title, std::string_view generator);

  /// The first sentence of the document.
  void verdict(OutcomeKind outcome, std::string_view sentence);
  void key_figures(const std::vector<KeyFigure>& figures);

  /// A chapter, listed in the contents.
  void chapter(std::string_view title);
  void heading(std::string_view title);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  void table(const HtmlTable& table);
  /// @param svg  as figure_svg() made it
  void picture(std::string_view svg, std::string_view caption = {});
  /// A PNG or JPEG picture, by its bytes; nothing is written of other content.
  void photo(std::string_view bytes, std::string_view caption);
  /// A file as it is.
  void file_text(std::string_view name, std::string_view text);

  std::string finish();

 private:
  std::string head_;
  std::string summary_;
  std::string contents_;
  std::string body_;
  int chapters_ = 0;
};

}  // namespace trestle::document
