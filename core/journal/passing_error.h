#pragma once

#include <stdexcept>

namespace trestle::journal {

/// The system does not let a file be read or written now (a full disk, permissions, another
/// program). The file may be whole: what() is one sentence that names it and what to do.
class PassingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace trestle::journal
