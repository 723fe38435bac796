#include "core/base/header_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/column_reader.h"

namespace trestle {
namespace {

constexpr std::array kUnits = std::to_array<std::string_view>(
    {"s",          "sec",        "seconds",    "ms",    "us",     "min",   "m",
     "cm",         "mm",         "km",         "in",    "ft",     "n",     "kn",
     "mn",         "m_s",        "m/s",        "mps",   "cm_s",   "cm/s",  "cmps",
     "mm_s",       "mm/s",       "mmps",       "g",     "mg",     "gal",   "m_s2",
     "m/s2",       "m/s^2",      "m/s/s",      "ms2",   "mps2",   "cm_s2", "cm/s2",
     "cm/s^2",     "cm/s/s",     "cms2",       "cmps2", "mm_s2",  "mm/s2", "mm/s^2",
     "mms2",       "mmps2",      "in_s2",      "in/s2", "ft_s2",  "ft/s2", "%",
     "kpa",        "mpa",        "pa",         "bar",   "v",      "mv",    "millimeter",
     "millimetre", "centimeter", "centimetre", "inch",  "inches", "feet",  "mm/sec",
     "cm/sec",     "lbf",        "kip",        "kips",  "deg",    "rad",   "um",
     "µm",         "dm",         "nm",         "m/s²",  "cm/s²",  "mm/s²", "m/s-2",
     "cm/s-2",     "gals",       "mgal",       "m s-2", "cm s-2", "m.s-2", "cm.s-2",
     "ms-2",       "cms-2",      "ms²",        "cms²",  "g's",    "kgf",   "tf",
     "tonf"});

constexpr std::string_view kBlanks = " \t\r";

/// `accel_N`, `Acc V`: north, vertical.
bool may_be_a_word(std::string_view unit) {
  return unit == "n" || unit == "v";
}

/// `in g`, `g units`: the unit among its words.
std::optional<std::string> unit_among_words(std::string_view text) {
  std::optional<std::string> found;
  for (const std::string_view word : words_of(text))
    if (word != "in" && !may_be_a_word(word) && is_known_unit(word)) found = word;
  return found;
}

/// The text in brackets of one column: of several that is a unit, `a (East) [g]`.
std::optional<std::string> unit_in_brackets(std::string_view column) {
  std::optional<std::string> found;
  for (std::size_t open = column.find_first_of("[("); open != std::string_view::npos;
       open = column.find_first_of("[(", open + 1)) {
    const std::size_t end = column.find_first_of("])", open);
    std::string text(column.substr(open + 1, end - open - 1));
    if (!is_known_unit(text)) text = unit_among_words(text).value_or(text);
    if (!found || is_known_unit(text)) found = std::move(text);
  }
  return found;
}

/// `accel_g`; in a line that is no comment also `Acceleration g`.
std::string unit_behind_name(std::string_view column, bool comment) {
  const std::size_t last = column.find_last_not_of(kBlanks);
  if (last == std::string_view::npos) return {};
  column = column.substr(0, last + 1);
  std::string unit;
  const bool force = column.find("force") != std::string_view::npos ||
                     column.find("load") != std::string_view::npos ||
                     column.starts_with('f');
  for (const std::string_view known : kUnits) {
    const bool behind = column.size() > known.size() && column.ends_with(known);
    const char before = behind ? column[column.size() - known.size() - 1] : 'a';
    const bool parted = !comment && known != "in" && (before == ' ' || before == ',');
    if ((force || !may_be_a_word(known)) && (before == '_' || parted)) unit = known;
  }
  return unit;
}

/// Blanks within brackets, and in front of them, separate no columns.
std::vector<std::string_view> separated_by_blanks(std::string_view header) {
  std::vector<std::string_view> columns;
  std::size_t at = header.find_first_not_of(kBlanks);
  while (at != std::string_view::npos) {
    std::size_t end = std::min(header.find_first_of(kBlanks, at), header.size());
    const std::size_t open = header.find_first_not_of(kBlanks, end);
    const bool unit =
        open != std::string_view::npos && (header[open] == '[' || header[open] == '(');
    const std::size_t bracket = unit ? open : header.find_first_of("[(", at);
    if (bracket < end || unit) {
      const std::size_t close = header.find_first_of("])", bracket);
      end = close == std::string_view::npos
                ? header.size()
                : std::max(end, std::min(close + 1, header.size()));
    }
    columns.push_back(header.substr(at, end - at));
    at = header.find_first_not_of(kBlanks, end);
  }
  return columns;
}

/// By its semicolons, tabs or commas; without any, by blanks.
std::vector<std::string_view> columns_of(std::string_view header) {
  for (const char separator : {';', '\t', ','}) {
    if (header.find(separator) == std::string_view::npos) continue;
    std::vector<std::string_view> columns;
    for (std::size_t at = 0; at <= header.size();) {
      const std::size_t end = std::min(header.find(separator, at), header.size());
      columns.push_back(header.substr(at, end - at));
      at = end + 1;
    }
    return columns;
  }
  return separated_by_blanks(header);
}

/// Returns the units of a row that holds nothing else, `[s], [g]`; otherwise none.
std::vector<std::string> row_of_units(const std::vector<std::string_view>& row) {
  std::vector<std::string> found;
  for (std::string_view word : row) {
    const std::size_t begin = word.find_first_not_of("[(");
    if (begin == std::string_view::npos) return {};
    word = word.substr(begin, word.find_first_of("])", begin) - begin);
    if (!is_known_unit(word)) return {};
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

bool is_known_unit(std::string_view unit) {
  // `cm/sec2`, `m/sec/sec`, `m/s**2`: however the second is written.
  for (const std::string_view rate : {"m/s", "cm/s", "mm/s", "in/s", "ft/s"})
    if (unit.starts_with(rate)) return true;
  return std::ranges::find(kUnits, unit) != kUnits.end();
}

std::vector<std::string> units_in_header(std::string_view line) {
  const std::string small = in_small_letters(line);
  std::string_view header = small;
  const std::size_t begin = header.find_first_not_of("#%! \t");
  header.remove_prefix(std::min(begin, header.size()));
  const bool comment = line.substr(0, begin).find_first_of("#%!") != std::string_view::npos;
  std::vector<std::string> found;
  for (const std::string_view column : columns_of(header))
    found.push_back(unit_in_brackets(column).value_or(unit_behind_name(column, comment)));
  return found;
}

std::optional<double> unit_of_length(std::string_view unit) {
  for (const auto& [name, metres] : {std::pair{"m", 1.0},
                                     {"cm", 1e-2},
                                     {"mm", 1e-3},
                                     {"km", 1e3},
                                     {"in", 0.0254},
                                     {"ft", 0.3048},
                                     {"millimeter", 1e-3},
                                     {"millimetre", 1e-3},
                                     {"centimeter", 1e-2},
                                     {"centimetre", 1e-2},
                                     {"inch", 0.0254},
                                     {"inches", 0.0254},
                                     {"feet", 0.3048},
                                     {"dm", 0.1},
                                     {"um", 1e-6},
                                     {"µm", 1e-6},
                                     {"nm", 1e-9}})
    if (unit == name) return metres;
  return std::nullopt;
}

bool FileHeader::takes(std::string_view line, int number) {
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
  // Comments are prose: `El Centro (1940)` states no unit. A text in square brackets
  // is meant as one.
  const bool meant = !comment || line.find('[') != std::string_view::npos;
  const auto known = std::ranges::count_if(units, is_known_unit);
  const bool states =
      std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); });
  if (states && known >= known_ && (known > 0 || meant)) {
    known_ = known;
    line_ = number;
    units_ = std::move(units);
  }
  return true;
}

}  // namespace trestle
