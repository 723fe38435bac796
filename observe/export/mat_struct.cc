#include "observe/export/mat_struct.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace trestle::exports {
namespace {

MatVariable made(matvar_t* variable) {
  if (variable == nullptr) throw std::runtime_error("no memory for a MATLAB variable");
  return MatVariable(variable);
}

}  // namespace

MatVariable mat_text(std::string text) {
  std::array<std::size_t, 2> size{text.empty() ? 0U : 1U, text.size()};
  return made(
      Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UTF8, 2, size.data(), text.data(), 0));
}

MatVariable mat_cells(const char* name, std::size_t rows, std::size_t columns) {
  std::array<std::size_t, 2> size{rows, columns};
  return made(Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, size.data(), nullptr, 0));
}

MatStruct::MatStruct(const std::string& name) : name_(name) {
  std::array<std::size_t, 2> size{1, 1};
  variable_ = made(Mat_VarCreateStruct(name.c_str(), 2, size.data(), nullptr, 0));
}

void MatStruct::column(const std::string& name, const std::string& unit,
                       std::vector<double> values) {
  values_.push_back(std::make_unique<std::vector<double>>(std::move(values)));
  std::vector<double>& kept = *values_.back();
  std::array<std::size_t, 2> size{kept.size(), 1};
  const std::string field =
      add(name, made(Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(),
                                   kept.data(), MAT_F_DONT_COPY_DATA)));
  fields_.push_back({name_ + "." + field, name, unit});
}

void MatStruct::number(const std::string& name, double value) {
  std::array<std::size_t, 2> size{1, 1};
  add(name,
      made(Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), &value, 0)));
}

void MatStruct::text(const std::string& name, const std::string& text) {
  add(name, mat_text(text));
}

void MatStruct::texts(const std::string& name, const std::vector<std::string>& texts) {
  MatVariable cell = mat_cells(nullptr, texts.size(), 1);
  for (std::size_t i = 0; i < texts.size(); ++i)
    Mat_VarSetCell(cell.get(), static_cast<int>(i), mat_text(texts[i]).release());
  add(name, std::move(cell));
}

void MatStruct::structure(MatStruct inner) {
  const std::string field = add(inner.name_, std::move(inner.variable_));
  for (MatField& one : inner.fields_) {
    one.field = name_ + "." + field + one.field.substr(inner.name_.size());
    fields_.push_back(std::move(one));
  }
  for (auto& values : inner.values_) values_.push_back(std::move(values));
}

std::string MatStruct::add(const std::string& name, MatVariable value) {
  std::string field = names_.name(name);
  if (Mat_VarAddStructField(variable_.get(), field.c_str()) != 0)
    throw std::runtime_error("no memory for a MATLAB structure");
  Mat_VarSetStructFieldByName(variable_.get(), field.c_str(), 0, value.release());
  return field;
}

}  // namespace trestle::exports
