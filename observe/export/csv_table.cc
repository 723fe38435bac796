#include "observe/export/csv_table.h"

#include "core/base/number_text.h"

namespace trestle::exports {
namespace {

constexpr std::size_t kWriteBytes = 1U << 18U;

}  // namespace

void append_csv_name(std::string& text, const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) {
    text += name;
    return;
  }
  text += '"';
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

void CsvTable::head(const Channels& channels) {
  text_ += "time_s";
  for (const Channel& channel : channels) {
    text_ += ',';
    append_csv_name(text_, channel.name);
  }
  text_ += '\n';
}

void CsvTable::begin_row(double time) {
  append_number(text_, time);
}

void CsvTable::values(std::span<const double> values) {
  for (const double value : values) {
    text_ += ',';
    append_number(text_, value);
  }
}

void CsvTable::empty_cells(std::size_t count) {
  text_.append(count, ',');
}

void CsvTable::end_row() {
  text_ += '\n';
  if (text_.size() < kWriteBytes) return;
  file_.write(text_);
  text_.clear();
}

void CsvTable::keep() {
  file_.write(text_);
  text_.clear();
  file_.keep();
}

}  // namespace trestle::exports
