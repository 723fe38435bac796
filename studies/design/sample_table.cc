#include "studies/design/sample_table.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/base/nearest_name.h"
#include "core/base/number_text.h"
#include "core/base/text_file.h"

namespace trestle::design {
namespace {

constexpr std::string_view kRunColumn = "run";

std::string_view bare(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return text;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  const char separator =
      line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos
          ? ';'
          : ',';
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t end = line.find(separator);
    cells.push_back(bare(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

Error sample_error(const std::string& file, std::size_t line, const std::string& what) {
  return {ErrorCode::kMalformed, file + ":" + std::to_string(line) + ": " + what};
}

/// Where each parameter stands.
struct SampleHead {
  std::vector<std::size_t> columns;
  std::vector<std::string> units;
  std::optional<std::size_t> run;
  std::size_t width = 0;
};

/// @returns what is wrong; nothing: `head` is filled
std::optional<std::string> read_head(std::string_view line,
                                     const std::vector<std::string>& names,
                                     SampleHead& head) {
  const std::vector<std::string_view> cells = cells_of(line);
  head.width = cells.size();
  head.units.resize(names.size());
  std::vector<bool> found(names.size(), false);
  head.columns.resize(names.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string_view name = cells[i];
    std::string unit;
    if (const std::size_t open = name.find('[');
        open != std::string_view::npos && name.back() == ']') {
      unit = name.substr(open + 1, name.size() - open - 2);
      name = bare(name.substr(0, open));
    }
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end() && name == kRunColumn) {
      if (head.run) return "the column run stands there twice";
      head.run = i;
      continue;
    }
    if (known == names.end())
      return "the column `" + std::string(name) + "` is of no parameter of the study" +
             suggest(std::string(name), names);
    const auto parameter = static_cast<std::size_t>(known - names.begin());
    if (found[parameter]) return "the column `" + *known + "` stands there twice";
    found[parameter] = true;
    head.columns[parameter] = i;
    head.units[parameter] = unit;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!found[i]) return "has no column for the parameter `" + names[i] + "`";
  return std::nullopt;
}

/// @returns what is wrong; nothing: `values` is filled
std::optional<std::string> read_samples(std::string_view line, const SampleHead& head,
                                        std::size_t run, std::vector<double>& values) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() != head.width)
    return "has " + std::to_string(cells.size()) + " cells; the head has " +
           std::to_string(head.width);
  if (head.run && parse_number(cells[*head.run]) != static_cast<double>(run))
    return "is of run " + std::string(cells[*head.run]) + "; row n is run n, so " +
           std::to_string(run) + " must stand here";
  for (const std::size_t column : head.columns) {
    const auto value = parse_number(cells[column]);
    if (!value || !std::isfinite(*value))
      return "cell " + std::to_string(column + 1) + " is `" + std::string(cells[column]) +
             "`; must be a finite number without unit";
    values.push_back(*value);
  }
  return std::nullopt;
}

}  // namespace

Result<SampleTable> read_sample_table(const std::string& file,
                                      const std::vector<std::string>& names) {
  std::ifstream stream;
  if (const std::string why = open_text_file(file, stream); !why.empty())
    return Error{ErrorCode::kUnavailable, "cannot read the file " + file + ": " + why};
  SampleTable table;
  SampleHead head;
  bool has_head = false;
  std::string line;
  for (std::size_t at = 1; std::getline(stream, line); ++at) {
    if (bare(line).empty()) continue;
    std::optional<std::string> problem;
    if (!has_head) {
      problem = read_head(line, names, head);
      has_head = true;
    } else {
      table.rows.emplace_back();
      problem = read_samples(line, head, table.rows.size(), table.rows.back());
    }
    if (problem) return sample_error(file, at, *problem);
  }
  if (table.rows.empty())
    return Error{ErrorCode::kMalformed,
                 file +
                     ": has no row of values; a head with the names of the parameters "
                     "and at least one row are needed"};
  table.units = std::move(head.units);
  return table;
}

}  // namespace trestle::design
