#include "core/base/header_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/column_reader.h"

namespace trestle {
namespace {

constexpr std::array<std::string_view, 44> kUnits = {
    "s",    "ms",    "us",    "min",    "m",     "cm",    "mm",    "km",     "in",
    "ft",   "kn",    "m_s",   "m/s",    "mps",   "cm_s",  "cm/s",  "cmps",   "mm_s",
    "mm/s", "mmps",  "g",     "mg",     "gal",   "m_s2",  "m/s2",  "m/s^2",  "ms2",
    "mps2", "cm_s2", "cm/s2", "cm/s^2", "cms2",  "cmps2", "mm_s2", "mm/s2",  "mm/s^2",
    "mms2", "mmps2", "in_s2", "in/s2",  "ft_s2", "ft/s2", "sec",   "seconds"};

/// Returns the units of a row that holds nothing else, `[s], [g]`; otherwise none.
std::vector<std::string> row_of_units(const std::vector<std::string_view>& row) {
  std::vector<std::string> found;
  for (std::string_view word : row) {
    const std::size_t begin = word.find_first_not_of("[(");
    if (begin == std::string_view::npos) return {};
    word = word.substr(begin, word.find_first_of("])", begin) - begin);
    if (std::ranges::find(kUnits, word) == kUnits.end()) return {};
    found.emplace_back(word);
  }
  return found;
}

/// `# Units: s, cm/s2`: what stands behind the word.
std::vector<std::string> named_units(std::string_view line) {
  const std::vector<std::string_view> row = words_of(line);
  const auto word = std::ranges::find_if(row, [](std::string_view each) {
    return each == "unit" || each == "units" || each == "unit:" || each == "units:";
  });
  return word == row.end() ? std::vector<std::string>{}
                           : row_of_units({std::next(word), row.end()});
}

}  // namespace

std::string in_small_letters(std::string_view text) {
  std::string found(text);
  std::ranges::transform(found, found.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return found;
}

std::vector<std::string> units_in_header(std::string_view line) {
  const std::string header = in_small_letters(line);
  std::vector<std::string> found;
  for (std::size_t open = header.find_first_of("[("); open != std::string::npos;
       open = header.find_first_of("[(", open + 1))
    found.push_back(header.substr(open + 1, header.find_first_of("])", open) - open - 1));
  if (!found.empty()) return found;
  for (const std::string_view column : words_of(header)) {
    std::string& unit = found.emplace_back();
    for (const std::string_view known : kUnits)
      if (column.ends_with("_" + std::string(known))) unit = known;
  }
  return found;
}

std::optional<double> unit_of_length(std::string_view unit) {
  for (const auto& [name, metres] : {std::pair{"m", 1.0},
                                     {"cm", 1e-2},
                                     {"mm", 1e-3},
                                     {"km", 1e3},
                                     {"in", 0.0254},
                                     {"ft", 0.3048}})
    if (unit == name) return metres;
  return std::nullopt;
}

bool FileHeader::takes(std::string_view line) {
  if (closed_) return false;
  const std::string small = in_small_letters(line);
  const std::vector<std::string_view> row = words_of(small);
  if (row.empty()) return true;
  const bool comment = row.front().find_first_of("#%!") == 0;
  std::vector<std::string> units;
  if (comment) {
    units = named_units(small);
    if (units.size() == 1) units.insert(units.begin(), "");  // of the values
    if (units.empty()) units = units_in_header(line);
  } else if (named_) {
    units = row_of_units(row);
    closed_ = true;
    if (units.empty()) return false;
  } else if (is_header(line, columns_)) {
    named_ = true;
    units = units_in_header(line);
  } else {
    closed_ = true;
    return false;
  }
  const bool states =
      std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); });
  if (states && units.size() >= units_.size()) units_ = std::move(units);
  return true;
}

}  // namespace trestle
