#include "composition/numerical/dof_map.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/text_file.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

constexpr std::size_t kCells = 3;  // row, node, DOF
constexpr std::int64_t kMostRows = 10'000'000;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  while (true) {
    const std::size_t end = line.find_first_of(",;");
    cells.emplace_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::optional<std::int64_t> number_of(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) return {};
  return value;
}

class MapReader {
 public:
  MapReader(const std::string& file, const std::string& here,
            SettingErrorCollector& problems)
      : file_(file), here_(here), problems_(problems) {}

  std::vector<std::string> read() {
    std::ifstream text;
    if (const std::string why = open_text_file(file_, text); !why.empty()) {
      problems_.add(here_, "cannot read the file " + file_ + ": " + why);
      return {};
    }
    int line = 0;
    for (std::string each; std::getline(text, each);) read_line(each, ++line);
    return in_order();
  }

 private:
  void tell(int line, const std::string& what) {
    problems_.add(here_, file_ + ":" + std::to_string(line) + ": " + what);
  }

  void read_line(const std::string& text, int line) {
    if (trimmed(text).empty()) return;
    const std::vector<std::string> cells = cells_of(text);
    const std::optional<std::int64_t> row = number_of(cells.front());
    const bool first = !begun_;
    begun_ = true;
    if (!row && first) return;  // a head
    if (cells.size() != kCells)
      return tell(line, "has " + std::to_string(cells.size()) +
                            " cells; must be row, node and DOF");
    if (!row || *row < 0 || *row > kMostRows)
      return tell(line, "`" + cells.front() + "` is no row; rows count from 0 or from 1");
    constexpr std::array<std::string_view, 6> kKnown{"x", "y", "z", "rx", "ry", "rz"};
    if (cells[1].empty() ||
        std::find(kKnown.begin(), kKnown.end(), cells[2]) == kKnown.end())
      return tell(line, "`" + cells[1] + "`, `" + cells[2] +
                            "` is no DOF; write the node's name and x, y, z, rx, ry or rz");
    const auto [place, fresh] = rows_.emplace(*row, cells[1] + "." + cells[2]);
    if (!fresh)
      tell(line, "row " + std::to_string(*row) + " is " + place->second + " already");
  }

  std::vector<std::string> in_order() {
    std::vector<std::string> names;
    if (rows_.empty()) {
      problems_.add(here_, file_ + " names no row; write row, node and DOF in each line");
      return names;
    }
    const std::int64_t lowest = rows_.begin()->first;
    std::int64_t next = lowest > 1 ? 0 : lowest;
    for (const auto& [row, name] : rows_) {
      if (row != next) {
        problems_.add(here_, file_ + " leaves out row " + std::to_string(next) +
                                 "; name each row of the matrices");
        break;
      }
      ++next;
      names.push_back(name);
    }
    return names;
  }

  std::string file_;
  std::string here_;
  SettingErrorCollector& problems_;
  std::map<std::int64_t, std::string> rows_;
  bool begun_ = false;
};

}  // namespace

std::vector<std::string> matrix_dofs(const config::Matrices& matrices,
                                     const std::string& path,
                                     SettingErrorCollector& problems) {
  if (matrices.dof_map().empty()) {
    if (matrices.dofs_size() == 0)
      problems.add(path + ".dofs",
                   "no DOF is named; name one for each row, or give a dof_map");
    return {matrices.dofs().begin(), matrices.dofs().end()};
  }
  if (matrices.dofs_size() > 0)
    problems.add(path + ".dof_map", "both dofs and dof_map are given; give one of them");
  return MapReader(matrices.dof_map(), path + ".dof_map", problems).read();
}

}  // namespace trestle::composition
