#pragma once

#include <set>
#include <string>

namespace trestle::exports {

/// Makes names that MATLAB takes for fields: letters, digits and `_`, a letter first, at
/// most 63; no two alike. `west.floor_w.x.target_m` becomes `west_floor_w_x_target_m`.
class MatlabNames {
 public:
  /// The name for this text; another one where it was given away already.
  std::string name(const std::string& text);

 private:
  std::set<std::string> taken_;
};

}  // namespace trestle::exports
