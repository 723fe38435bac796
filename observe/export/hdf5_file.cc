#include "observe/export/hdf5_file.h"

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "core/base/output_path.h"

namespace trestle::exports {

Hdf5File::Hdf5File(std::string path)
    : path_(std::move(path)), temporary_(temporary_path(path_)) {
  require_plain_file(path_);
  // After a full disk the library keeps the file half open and would fail at the end of the
  // program. This program closes complete files itself before.
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell
  errno = 0;
  const hid_t file = H5Fcreate(temporary_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error(write_failure(path_, errno));
  file_ = Hdf5Handle(file, H5Fclose);
  errno = 0;
}

Hdf5File::~Hdf5File() {
  file_.release();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

Hdf5Handle Hdf5File::group(const std::string& path) {
  if (path == "/") return checked(H5Gopen2(file_.id(), "/", H5P_DEFAULT), H5Gclose);
  const Hdf5Handle link = checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(link.id(), 1));
  return checked(H5Gcreate2(file_.id(), path.c_str(), link.id(), H5P_DEFAULT, H5P_DEFAULT),
                 H5Gclose);
}

Hdf5Handle Hdf5File::column(const Hdf5Handle& group, const std::string& name,
                            const std::string& unit, std::uint64_t rows) {
  const hsize_t size = rows;
  const Hdf5Handle space = checked(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.id(), false));
  errno = 0;  // what the library refuses by itself leaves it at 0
  Hdf5Handle column =
      checked(H5Dcreate2(group.id(), name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                         creation.id(), H5P_DEFAULT),
              H5Dclose);
  attribute(column, "unit", unit);
  return column;
}

void Hdf5File::write(const Hdf5Handle& column, std::uint64_t first,
                     std::span<const double> values) {
  if (values.empty()) return;
  const hsize_t start = first;
  const hsize_t count = values.size();
  const Hdf5Handle file_space = checked(H5Dget_space(column.id()), H5Sclose);
  check(H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &start, nullptr, &count,
                            nullptr));
  const Hdf5Handle memory_space = checked(H5Screate_simple(1, &count, nullptr), H5Sclose);
  check(H5Dwrite(column.id(), H5T_NATIVE_DOUBLE, memory_space.id(), file_space.id(),
                 H5P_DEFAULT, values.data()));
}

void Hdf5File::strings(const Hdf5Handle& group, const std::string& name,
                       const std::vector<std::string>& values) {
  const hsize_t size = values.size();
  const Hdf5Handle space = checked(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle creation = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.id(), false));
  const Hdf5Handle type = text_type();
  const Hdf5Handle column =
      checked(H5Dcreate2(group.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                         creation.id(), H5P_DEFAULT),
              H5Dclose);
  std::vector<const char*> texts;
  texts.reserve(values.size());
  for (const std::string& value : values) texts.push_back(value.c_str());
  if (!texts.empty())
    check(H5Dwrite(column.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()));
}

void Hdf5File::attribute(const Hdf5Handle& object, const std::string& name,
                         const std::string& value) {
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle made = checked(H5Acreate2(object.id(), name.c_str(), type.id(),
                                             space.id(), H5P_DEFAULT, H5P_DEFAULT),
                                  H5Aclose);
  const char* const text = value.c_str();
  check(H5Awrite(made.id(), type.id(), &text));
}

void Hdf5File::attribute(const Hdf5Handle& object, const std::string& name, double value) {
  const Hdf5Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle made = checked(H5Acreate2(object.id(), name.c_str(), H5T_IEEE_F64LE,
                                             space.id(), H5P_DEFAULT, H5P_DEFAULT),
                                  H5Aclose);
  check(H5Awrite(made.id(), H5T_NATIVE_DOUBLE, &value));
}

void Hdf5File::keep() {
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL));
  check(file_.release());
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) throw std::runtime_error(write_failure(path_, error.value()));
  temporary_.clear();
}

Hdf5Handle Hdf5File::checked(hid_t id, herr_t (*close)(hid_t)) const {
  if (id < 0) fail();
  return {id, close};
}

void Hdf5File::check(herr_t outcome) const {
  if (outcome < 0) fail();
}

void Hdf5File::fail() const {
  throw std::runtime_error(write_failure(path_, errno));
}

Hdf5Handle Hdf5File::text_type() const {
  Hdf5Handle type = checked(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), H5T_VARIABLE));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

}  // namespace trestle::exports
