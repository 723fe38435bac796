#pragma once

#include <matio.h>

#include <memory>
#include <string>
#include <vector>

#include "observe/export/matlab_names.h"

namespace trestle::exports {

/// Which field of a MAT file holds what.
struct MatField {
  std::string field;  ///< `result.west_floor_w_x_target_m`
  std::string name;   ///< as in CSV and HDF5: `west.floor_w.x.target_m`
  std::string unit;
};

struct FreeMatVariable {
  void operator()(matvar_t* variable) const noexcept { Mat_VarFree(variable); }
};
using MatVariable = std::unique_ptr<matvar_t, FreeMatVariable>;

/// A text, without a name.
/// @throws std::runtime_error if there is no memory
MatVariable mat_text(std::string text);

/// Empty cells, `rows` by `columns`, under a name or none.
MatVariable mat_cells(const char* name, std::size_t rows, std::size_t columns);

/// A MATLAB structure on its way into a file.
///
/// Every verb throws std::runtime_error if there is no memory.
class MatStruct {
 public:
  explicit MatStruct(const std::string& name);

  /// A column vector. The values are kept until the structure dies.
  void column(const std::string& name, const std::string& unit, std::vector<double> values);
  void number(const std::string& name, double value);
  void text(const std::string& name, const std::string& text);
  /// A column of texts.
  void texts(const std::string& name, const std::vector<std::string>& texts);
  void structure(MatStruct inner);

  const std::string& name() const noexcept { return name_; }
  /// Returns the fields of all columns, those of inner structures included.
  const std::vector<MatField>& fields() const noexcept { return fields_; }
  matvar_t* variable() const noexcept { return variable_.get(); }

 private:
  std::string add(const std::string& name, MatVariable value);

  std::string name_;
  MatVariable variable_;
  MatlabNames names_;
  std::vector<MatField> fields_;
  std::vector<std::unique_ptr<std::vector<double>>> values_;  // not copied into variables
};

}  // namespace trestle::exports
