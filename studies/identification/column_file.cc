#include "studies/identification/column_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/base/column_reader.h"
#include "core/base/text_file.h"
#include "observe/export/hdf5_handle.h"

namespace trestle::identification {
namespace {

using Columns = std::vector<std::vector<double>>;

Error wrong(const std::string& file, const std::string& what) {
  return {ErrorCode::kMalformed, file + " " + what};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Returns the separator of the columns, by the header: beside it, a comma may be a decimal
/// one.
char separator_of(std::string_view header) {
  for (const char separator : {'\t', ';'}) {
    bool quoted = false;
    for (const char letter : header) {
      if (letter == '"') quoted = !quoted;
      if (letter == separator && !quoted) return separator;
    }
  }
  return ',';
}

/// A separator between quotes is part of its cell.
std::vector<std::string_view> cells_of(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    const std::size_t quoted = line.starts_with('"') ? line.find('"', 1) : 0;
    end = quoted == std::string_view::npos ? quoted : line.find(separator, quoted);
    cells.push_back(trimmed(line.substr(0, end)));
    if (end != std::string_view::npos) line.remove_prefix(end + 1);
  }
  return cells;
}

/// The cells of a row fit those of the header. A row may end sooner, where a remark is
/// missing. Where a comma separates, one more is a decimal comma; otherwise an empty one
/// may follow.
bool is_row_of(std::vector<std::string_view> cells, std::size_t columns, std::size_t last,
               char separator) {
  if (separator != ',')
    while (cells.size() > columns && cells.back().empty()) cells.pop_back();
  return cells.size() <= columns && cells.size() > last;
}

std::string missing(const std::string& name, const std::vector<std::string_view>& there) {
  std::string text = "has no column `" + name + "`; its columns are";
  for (std::size_t i = 0; i < there.size() && i < 20; ++i)
    text += (i == 0 ? " " : ", ") + std::string(there[i]);
  return text;
}

Result<Columns> read_csv(const std::string& file, const std::vector<std::string>& names) {
  std::ifstream stream;
  if (const std::string why = open_text_file(file, stream); !why.empty())
    return wrong(file, "cannot be read: " + why);
  std::string head;
  if (!std::getline(stream, head)) return wrong(file, "cannot be read: it is empty");
  const char separator = separator_of(head);
  const std::vector<std::string_view> there = cells_of(head, separator);
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto found = std::find(there.begin(), there.end(), name);
    if (found == there.end()) return wrong(file, missing(name, there));
    if (std::count(found, there.end(), name) > 1)
      return wrong(file, "has more than one column `" + name + "`");
    places.push_back(static_cast<std::size_t>(found - there.begin()));
  }
  const std::size_t last = places.empty() ? 0 : *std::ranges::max_element(places);
  Columns columns(names.size());
  std::string line;
  for (std::size_t at = 2; std::getline(stream, line); ++at) {
    const std::vector<std::string_view> cells = cells_of(line, separator);
    if (std::ranges::all_of(cells, &std::string_view::empty)) continue;
    if (!is_row_of(cells, there.size(), last, separator))
      return wrong(file, "line " + std::to_string(at) + ": " +
                             std::to_string(cells.size()) + " fields; its header has " +
                             std::to_string(there.size()) +
                             ". Write numbers with a decimal point");
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string_view cell = cells[places[i]];
      const std::optional<double> value = number_of(cell);
      if (!value || !std::isfinite(*value))
        return wrong(file, "line " + std::to_string(at) + ": `" + std::string(cell) +
                               "` in column `" + names[i] +
                               "` is no number with a decimal point");
      columns[i].push_back(*value);
    }
  }
  return columns;
}

/// The library prints its errors by itself otherwise.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// `; in / are result, event`, of the first names in a group.
std::string names_in(const exports::Hdf5Handle& group, const std::string& folder) {
  constexpr hsize_t kMost = 12;
  H5G_info_t info{};
  if (H5Gget_info(group.id(), &info) < 0 || info.nlinks == 0) return {};
  std::string names;
  for (hsize_t i = 0; i < std::min(kMost, info.nlinks); ++i) {
    char name[128] = "";
    H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name,
                       H5P_DEFAULT);
    names += (i == 0 ? "" : ", ") + std::string(name);
  }
  return "; in `" + folder + "` are " + names + (info.nlinks > kMost ? ", ..." : "");
}

Result<Columns> read_hdf5(const std::string& file, const std::string& group,
                          const std::vector<std::string>& names) {
  if (const std::string why = why_no_plain_file(file); !why.empty())
    return wrong(file, "cannot be read: " + why);
  const Quiet quiet;
  const exports::Hdf5Handle whole(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                                  H5Fclose);
  if (whole.id() < 0) return wrong(file, "cannot be read as HDF5");
  const std::string folder = group.empty() ? "/" : group;
  const exports::Hdf5Handle inside(H5Gopen2(whole.id(), folder.c_str(), H5P_DEFAULT),
                                   H5Gclose);
  if (inside.id() < 0) {
    const exports::Hdf5Handle root(H5Gopen2(whole.id(), "/", H5P_DEFAULT), H5Gclose);
    return wrong(file, "has no group `" + folder + "`" + names_in(root, "/"));
  }
  Columns columns;
  for (const std::string& name : names) {
    const exports::Hdf5Handle data(H5Dopen2(inside.id(), name.c_str(), H5P_DEFAULT),
                                   H5Dclose);
    if (data.id() < 0)
      return wrong(file, "has no dataset `" + name + "` in group `" + folder + "`" +
                             names_in(inside, folder));
    const exports::Hdf5Handle space(H5Dget_space(data.id()), H5Sclose);
    if (H5Sget_simple_extent_ndims(space.id()) != 1)
      return wrong(file, "has a dataset `" + name + "` that is no list of numbers");
    columns.emplace_back(
        static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
    if (H5Dread(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                columns.back().data()) < 0)
      return wrong(file, "has a dataset `" + name + "` that is no list of numbers");
    for (const double value : columns.back())
      if (!std::isfinite(value))
        return wrong(file, "has values that are no numbers in `" + name + "`");
    if (columns.back().size() != columns.front().size())
      return wrong(file, "has datasets of different lengths: `" + name + "`");
  }
  return columns;
}

}  // namespace

Result<Columns> read_columns(const std::string& file, const std::string& group,
                             const std::vector<std::string>& names) {
  if (file.ends_with(".h5") || file.ends_with(".hdf5"))
    return read_hdf5(file, group, names);
  return read_csv(file, names);
}

}  // namespace trestle::identification
