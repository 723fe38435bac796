#pragma once

#include <matio.h>

#include <memory>
#include <string>
#include <vector>

#include "observe/export/mat_struct.h"

namespace trestle::exports {

/// A MATLAB file (level 5, no compression) that appears under its name only when it is
/// complete. The same calls give the same bytes: no times are stored.
///
/// Every verb throws std::runtime_error with one sentence that names the file.
class MatFile {
 public:
  explicit MatFile(std::string path);
  ~MatFile();

  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;

  /// Writes a structure as a variable.
  void write(const MatStruct& structure);

  /// Adds the variable `names`, a cell array of rows {field, name, unit}: what the columns
  /// are called elsewhere. Then the file is complete.
  void keep();

 private:
  struct Close {
    void operator()(mat_t* file) const noexcept { Mat_Close(file); }
  };

  void write_names();
  void write_variable(matvar_t* variable);
  void check_length() const;

  std::string path_;
  std::string temporary_;
  std::unique_ptr<mat_t, Close> file_;
  std::vector<MatField> fields_;
  int variables_ = 0;
};

}  // namespace trestle::exports
