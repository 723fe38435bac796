#pragma once

#include "core/base/snapshot.h"
#include "core/evaluation/synchronisation.h"

namespace trestle::evaluation {

/// Synchronisation of the last while, sample by sample, in constant memory: the same
/// numbers as synchronisation() with the sums and means weighted by exp(−age/memory).
class SlidingSynchronisation {
 public:
  /// @param period  between samples [s], > 0
  /// @param memory  age at which a sample counts 1/e [s], > 0
  SlidingSynchronisation(double period, double memory) noexcept;

  void add(double wanted, double achieved) noexcept;

  /// No harmonics. Where nothing has moved yet: no error, amplitude 1, no delay.
  Synchronisation result() const noexcept;

  void reset() noexcept;
  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  /// The sample before the last one, whose velocity is known: wanted z, its rate v, and the
  /// error e = x − z, which avoids small differences of large sums.
  struct Sums {
    double one = 0.0, z = 0.0, e = 0.0, v = 0.0;
    double zz = 0.0, ze = 0.0, ee = 0.0, zv = 0.0, ev = 0.0, vv = 0.0;
  };
  template <typename Each>
  static void for_each(Sums& sums, Each each);

  double period_;
  double forgetting_;
  Sums sums_;
  double samples_ = 0.0;
  double older_wanted_ = 0.0;
  double last_wanted_ = 0.0;
  double last_error_ = 0.0;
};

}  // namespace trestle::evaluation
