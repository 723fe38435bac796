#pragma once

namespace trestle::exports {

struct ExportOptions {
  /// The sites' control ticks in place of (CSV) or beside (HDF5) the steps.
  bool ticks = false;
};

}  // namespace trestle::exports
