#include "core/base/column_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/base/setting_error.h"
#include "core/base/text_file.h"

namespace trestle {
namespace {

bool is_digit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}

/// `Station`; not `O.00`, which is meant as a number.
bool is_word(std::string_view text) {
  const auto is_letter = [](char each) {
    return std::isalpha(static_cast<unsigned char>(each)) != 0;
  };
  return std::ranges::none_of(text, is_digit) &&
         std::ranges::adjacent_find(text, [is_letter](char one, char other) {
           return is_letter(one) && is_letter(other);
         }) != text.end();
}

}  // namespace

ColumnReader::ColumnReader(std::string file, std::string path)
    : file_(std::move(file)), path_(std::move(path)) {
  if (const std::string why = open_text_file(file_, stream_); !why.empty()) fail_whole(why);
}

bool ColumnReader::next(std::string& line) {
  if (!std::getline(stream_, line)) return false;
  ++line_;
  const bool binary = std::ranges::any_of(line, [](unsigned char letter) {
    return letter == 0x7f || (letter < ' ' && letter != '\t' && letter != '\r');
  });
  if (binary) fail("a byte that is no text; a record is a text file of numbers");
  return true;
}

double ColumnReader::number(std::string_view word) const {
  const std::optional<double> value = number_of(word);
  if (!value) fail("`" + std::string(word) + "` is not a number");
  if (!std::isfinite(*value))
    fail("`" + std::string(word) + "` is not finite; a record needs a number there");
  return *value;
}

void ColumnReader::fail_at(int line, const std::string& what) const {
  throw SettingError(path_, file_ + ":" + std::to_string(line) + ": " + what);
}

void ColumnReader::fail_whole(const std::string& what) const {
  throw SettingError(path_, file_ + ": " + what);
}

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  constexpr std::string_view kBetween = ",; \t\r";
  std::vector<std::string_view> found;
  bool separated = true;  // a comma or semicolon now would leave a cell empty
  for (std::size_t at = 0; at < line.size();) {
    if (kBlanks.find(line[at]) != std::string_view::npos) {
      ++at;
    } else if (kBetween.find(line[at]) != std::string_view::npos) {
      if (std::exchange(separated, true)) found.emplace_back();
      ++at;
    } else {
      const std::size_t end = std::min(line.find_first_of(kBetween, at), line.size());
      found.push_back(line.substr(at, end - at));
      separated = false;
      at = end;
    }
  }
  while (!found.empty() && found.back().empty()) found.pop_back();
  return found;
}

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  // 1e-400 becomes zero, 1e400 infinity.
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(word).c_str(), nullptr);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

bool has_decimal_comma(std::string_view line) {
  // Blanks at the ends of a line separate nothing.
  line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.find_first_of("; \t") == std::string_view::npos) return false;
  for (std::size_t at = line.find(','); at != std::string_view::npos && at > 0;
       at = line.find(',', at + 1))
    if (is_digit(line[at - 1]) && at + 1 < line.size() && is_digit(line[at + 1]))
      return true;
  return false;
}

bool is_header(std::string_view line, std::size_t columns) {
  const std::vector<std::string_view> row = words_of(line);
  if (row.empty() || number_of(row.front()) || has_decimal_comma(line)) return false;
  const bool comment = row.front().find_first_of("#%!") == 0;
  if (comment || row.size() < columns || row.size() > 2 * columns || !number_of(row[1]))
    return true;
  // `Channel 1, Channel 2`; not `Scale 9.81`.
  return is_word(row.front()) && row.size() > columns;
}

}  // namespace trestle
