#include "cli/terminal/mode_shapes.h"

#include <cstddef>

#include "core/base/number_text.h"
#include "observe/export/csv_table.h"

namespace trestle::cli {

std::string mode_shapes_csv(const composition::NumericalReport& model) {
  std::string text = "dof";
  for (std::size_t i = 1; i <= model.modes.size(); ++i)
    text += ",mode_" + std::to_string(i);
  text += "\nfrequency_Hz";
  const auto add = [&text](double value) {
    text += ',';
    append_number(text, value);
  };
  for (const composition::ModeReport& mode : model.modes) add(1.0 / mode.period);
  text += "\ndamping_ratio";
  for (const composition::ModeReport& mode : model.modes) add(mode.ratio);
  text += '\n';
  for (const composition::ModeShapeRow& row : model.shapes) {
    exports::append_csv_name(text, row.dof);
    for (const double value : row.modes) add(value);
    text += '\n';
  }
  return text;
}

}  // namespace trestle::cli
