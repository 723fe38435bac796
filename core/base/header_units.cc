#include "core/base/header_units.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/base/column_reader.h"

namespace trestle {
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
    for (const std::string_view known :
         {"s",    "ms",    "us",    "min",    "m",     "cm",    "mm",    "km",    "in",
          "ft",   "kn",    "m_s",   "m/s",    "mps",   "cm_s",  "cm/s",  "cmps",  "mm_s",
          "mm/s", "mmps",  "g",     "mg",     "gal",   "m_s2",  "m/s2",  "m/s^2", "ms2",
          "mps2", "cm_s2", "cm/s2", "cm/s^2", "cms2",  "cmps2", "mm_s2", "mm/s2", "mm/s^2",
          "mms2", "mmps2", "in_s2", "in/s2",  "ft_s2", "ft/s2"})
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

}  // namespace trestle
