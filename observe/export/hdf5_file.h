#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "observe/export/hdf5_handle.h"

namespace trestle::exports {

/// An HDF5 file that appears under its name only when it is complete. The same calls give
/// the same bytes: no times are stored.
///
/// Every verb throws std::runtime_error with one sentence that names the file.
class Hdf5File {
 public:
  explicit Hdf5File(std::string path);
  ~Hdf5File();

  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  /// Makes a group, and those above it: "/tick/west".
  Hdf5Handle group(const std::string& path);

  /// A 1-D dataset of doubles in `group`, to be filled piece by piece with write().
  Hdf5Handle column(const Hdf5Handle& group, const std::string& name,
                    const std::string& unit, std::uint64_t rows);

  /// @pre first + values.size() <= rows of the column
  void write(const Hdf5Handle& column, std::uint64_t first, std::span<const double> values);

  /// A 1-D dataset of strings in `group`.
  void strings(const Hdf5Handle& group, const std::string& name,
               const std::vector<std::string>& values);

  /// Attributes of a group or dataset; the root is group("/").
  void attribute(const Hdf5Handle& object, const std::string& name,
                 const std::string& value);
  void attribute(const Hdf5Handle& object, const std::string& name, double value);

  /// The file is complete. Every handle must be gone.
  void keep();

 private:
  Hdf5Handle checked(hid_t id, herr_t (*close)(hid_t)) const;
  void check(herr_t outcome) const;
  [[noreturn]] void fail() const;
  Hdf5Handle text_type() const;

  std::string path_;
  std::string temporary_;
  Hdf5Handle file_;
};

}  // namespace trestle::exports
