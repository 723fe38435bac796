#include "observe/export/mat_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "core/base/output_path.h"

namespace trestle::exports {
namespace {

constexpr const char* kHead = "MATLAB 5.0 MAT-file, written by trestle";
constexpr std::uint64_t kHeadBytes = 128;
constexpr std::size_t kLargest = std::size_t{1} << 31U;  // bytes of a variable, level 5

}  // namespace

MatFile::MatFile(std::string path)
    : path_(std::move(path)), temporary_(temporary_path(path_)) {
  require_plain_file(path_);
  errno = 0;
  file_.reset(Mat_CreateVer(temporary_.c_str(), kHead, MAT_FT_MAT5));
  if (!file_) throw std::runtime_error(write_failure(path_, errno == 0 ? EIO : errno));
}

MatFile::~MatFile() {
  file_.reset();
  std::error_code ignored;
  if (!temporary_.empty()) std::filesystem::remove(temporary_, ignored);
}

void MatFile::write(const MatStruct& structure) {
  if (Mat_VarGetSize(structure.variable()) >= kLargest)
    throw std::runtime_error("cannot write " + path_ + ": `" + structure.name() +
                             "` is larger than the 2 GB that a variable of a MAT file may "
                             "have; write HDF5, which MATLAB reads with h5read");
  write_variable(structure.variable());
  fields_.insert(fields_.end(), structure.fields().begin(), structure.fields().end());
}

void MatFile::write_names() {
  const MatVariable names = mat_cells("names", fields_.size(), 3);
  int at = 0;  // column by column
  for (const auto part : {&MatField::field, &MatField::name, &MatField::unit})
    for (const MatField& field : fields_)
      Mat_VarSetCell(names.get(), at++, mat_text(field.*part).release());
  write_variable(names.get());
}

void MatFile::write_variable(matvar_t* variable) {
  errno = 0;
  if (Mat_VarWrite(file_.get(), variable, MAT_COMPRESSION_NONE) != 0)
    throw std::runtime_error(write_failure(path_, errno == 0 ? EIO : errno));
  ++variables_;
}

/// The library does not say that the disk was full; the file does: its variables, each with
/// its length before it, must fill it exactly.
void MatFile::check_length() const {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(temporary_, error);
  std::ifstream file(temporary_, std::ios::binary);
  std::uint64_t at = kHeadBytes;
  int found = 0;
  while (!error && at + 8 <= size) {
    std::array<char, 8> tag{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(tag.data(), tag.size())) break;
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, tag.data() + 4, sizeof bytes);
    at += 8 + bytes;
    ++found;
  }
  if (error || at != size || found != variables_)
    throw std::runtime_error(write_failure(path_, ENOSPC));
}

void MatFile::keep() {
  write_names();
  file_.reset();
  check_length();
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) throw std::runtime_error(write_failure(path_, error.value()));
  temporary_.clear();
}

}  // namespace trestle::exports
