#include "studies/design/tabulated_design.h"

#include <utility>

namespace trestle::design {

TabulatedDesign::TabulatedDesign(std::vector<std::vector<double>> rows)
    : rows_(std::move(rows)) {}

std::vector<double> TabulatedDesign::values(std::int64_t run) const {
  return rows_.at(static_cast<std::size_t>(run - 1));
}

}  // namespace trestle::design
