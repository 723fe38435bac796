#include "site-servers/compensators/training_record.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <string_view>

#include "core/base/setting_error.h"
#include "core/base/text_file.h"

namespace trestle::compensators {
namespace {

/// The columns of one actuator.
struct Columns {
  std::size_t command;
  std::size_t measured;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char letter : line) {
    if (letter == ',')
      cells.emplace_back();
    else if (letter != '\r')
      cells.back() += letter;
  }
  return cells;
}

std::vector<Columns> find_columns(const std::vector<std::string>& head,
                                  const std::string& site) {
  std::vector<Columns> found;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const std::string_view name = head[i];
    const std::size_t dot = name.rfind('.');
    if (!name.starts_with(site + ".") || !name.substr(dot + 1).starts_with("command_"))
      continue;
    const std::string measured = std::string(name.substr(0, dot)) + ".measured_" +
                                 std::string(name.substr(dot + 1 + 8));
    const auto other = std::find(head.begin(), head.end(), measured);
    if (other != head.end())
      found.push_back({i, static_cast<std::size_t>(other - head.begin())});
  }
  return found;
}

/// The rows of the file, with errors that tell the line.
class Rows {
 public:
  Rows(const std::string& file, const std::string& path) : path_(path) {
    if (const std::string why = open_text_file(file, stream_); !why.empty())
      throw SettingError(path, "cannot read the file " + file + ": " + why);
  }

  bool next() {
    std::string line;
    do {
      if (!std::getline(stream_, line)) return false;
      ++number_;
    } while (line.empty() || line == "\r");
    cells_ = cells_of(line);
    return true;
  }
  const std::vector<std::string>& cells() const noexcept { return cells_; }

  double number(std::size_t column) const {
    double value = 0.0;
    if (column < cells_.size()) {
      const std::string& cell = cells_[column];
      const auto [end, error] =
          std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value))
        return value;
    }
    throw SettingError(path_, "line " + std::to_string(number_) + ": column " +
                                  std::to_string(column + 1) + " holds no finite number");
  }

 private:
  std::string path_;
  std::ifstream stream_;
  std::vector<std::string> cells_;
  int number_ = 0;
};

}  // namespace

std::vector<TrainingRecord> read_recorded_motion(const std::string& file,
                                                 const std::string& site, double tick,
                                                 const std::string& path) {
  Rows rows(file, path);
  std::vector<Columns> columns;
  if (rows.next()) columns = find_columns(rows.cells(), site);
  if (columns.empty())
    throw SettingError(path, file + " has no columns " + site +
                                 ".<actuator>.command_m and measured_m; export a test with "
                                 "this site by `trestle export --ticks`");
  std::vector<TrainingRecord> actuators(columns.size());
  double first = 0.0;
  double last = 0.0;
  std::size_t count = 0;
  for (; rows.next(); ++count) {
    last = rows.number(0);
    if (count == 0) first = last;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      actuators[i].command.push_back(rows.number(columns[i].command));
      actuators[i].measured.push_back(rows.number(columns[i].measured));
    }
  }
  constexpr double kAsWritten = 1e-6;  // relative
  const double spacing = count > 1 ? (last - first) / static_cast<double>(count - 1) : 0.0;
  if (!(std::abs(spacing - tick) <= kAsWritten * tick))
    throw SettingError(path, "the lines of " + file + " stand " + std::to_string(spacing) +
                                 " s apart; the control tick is " + std::to_string(tick) +
                                 " s, and the record must be of the same");
  return actuators;
}

}  // namespace trestle::compensators
