#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/yaml/unit_class.h"
#include "proto/config/options.pb.h"

namespace trestle::yaml {

/// A number in SI, and which motion its unit belonged to.
struct Quantity {
  double value;
  UnitClass unit_class;
};

/// Reads `60 mm` as a MOTION: 0.06, translation. A plain number is SI. The error's detail
/// is the sentence behind the field's name: `is given in mm; must be a time (s, ms, ...)`.
Result<Quantity> read_quantity(std::string_view text, config::Dimension dimension);

/// Describes what a field of this dimension must be: `a time (s, ms, us, min, h)`.
std::string description(config::Dimension dimension);

}  // namespace trestle::yaml
