#pragma once

#include <cstddef>
#include <vector>

namespace trestle::live {

/// The course of one value since the observer began, in bounded memory: smallest and
/// largest value of equal pieces of time. If the pieces no longer fit, two become one.
class Trace {
 public:
  struct Extent {
    double low = 0.0;
    double high = 0.0;
    bool any = false;  ///< false: no value in this piece
  };

  /// @param piece  shortest piece [s], > 0
  explicit Trace(double piece) : piece_(piece) {}

  /// @param time  not before that of the call before [s]; a value that is not finite is
  ///              passed over
  void add(double time, double value);

  /// Divides [from, until) into equal columns. A piece that lies in two columns counts in
  /// the one of its beginning.
  std::vector<Extent> columns(double from, double until, std::size_t count) const;

 private:
  void halve();

  double piece_;
  double begin_ = 0.0;
  std::vector<Extent> pieces_;
};

}  // namespace trestle::live
