#include "observe/export/number_table.h"

#include <cmath>

#include "core/base/atomic_file.h"
#include "core/base/number_text.h"
#include "observe/export/csv_table.h"
#include "observe/export/hdf5_file.h"
#include "observe/export/mat_file.h"

namespace trestle::exports {

void write_table_csv(const NumberTable& table, const std::string& file) {
  AtomicFile out(file);
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) text += ',';
    append_csv_name(text, table.columns[i].name);
  }
  text += '\n';
  const std::size_t rows = table.values.empty() ? 0 : table.values.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < table.values.size(); ++i) {
      if (i > 0) text += ',';
      if (!std::isnan(table.values[i][row])) append_number(text, table.values[i][row]);
    }
    text += '\n';
    out.write(text);
    text.clear();
  }
  out.write(text);
  out.keep();
}

void write_table_hdf5(const NumberTable& table, const std::string& name) {
  Hdf5File file(name);
  {
    const Hdf5Handle root = file.group("/");
    for (const auto& [key, value] : table.facts) file.attribute(root, key, value);
    const Hdf5Handle group = file.group("/" + table.name);
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      file.write(file.column(group, table.columns[i].name, table.columns[i].unit,
                             table.values[i].size()),
                 0, table.values[i]);
    for (const auto& [key, texts] : table.texts) file.strings(group, key, texts);
  }
  file.keep();
}

void write_table_mat(const NumberTable& table, const std::string& name) {
  MatFile file(name);
  MatStruct structure(table.name);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    structure.column(table.columns[i].name, table.columns[i].unit, table.values[i]);
  for (const auto& [key, texts] : table.texts) structure.texts(key, texts);
  file.write(structure);
  MatStruct meta("meta");
  for (const auto& [key, value] : table.facts) meta.text(key, value);
  file.write(meta);
  file.keep();
}

}  // namespace trestle::exports
