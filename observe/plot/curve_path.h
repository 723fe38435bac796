#pragma once

#include <span>
#include <string>

#include "observe/plot/axis.h"

namespace trestle::plot {

/// Path data of y over ascending x: at most the smallest and the largest value of each
/// pixel column, in their order, so that no extreme is lost however long the record is. A
/// value that is not finite breaks the line.
std::string history_path(std::span<const double> x, std::span<const double> y,
                         const Axis& across, const Axis& upwards);

/// The same of any curve, a hysteresis loop for one: points that lie on the line between
/// their neighbours are left out, to a quarter of a pixel; more, if the curve would have
/// more than 4000 points. The outermost points always stay.
std::string loop_path(std::span<const double> x, std::span<const double> y,
                      const Axis& across, const Axis& upwards);

}  // namespace trestle::plot
