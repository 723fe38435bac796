#pragma once

#include <exception>
#include <string>
#include <utility>

namespace trestle::campaign {

/// A run threw what no draw explains, or its results cannot be kept: an error of the
/// program, or of its machine.
class RunFailure final : public std::exception {
 public:
  explicit RunFailure(std::string sentence) : sentence_(std::move(sentence)) {}
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

}  // namespace trestle::campaign
