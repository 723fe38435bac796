#pragma once

#include <functional>
#include <memory>

#include "core/base/snapshot.h"

namespace trestle::bond_graph {

/// The law of one element: e = phi(q) of a spring, f = psi(p) of an inertia, e = rho(f) or
/// f = rho(e) of a damper.
///
/// value() and slope() may be called any number of times, at any argument: a law with
/// memory starts from its last commit().
class ConstitutiveLaw {
 public:
  virtual ~ConstitutiveLaw() = default;

  virtual double value(double argument) noexcept = 0;
  /// d value / d argument; by a central difference if no formula exists.
  virtual double slope(double argument) noexcept = 0;
  /// A law with memory moves to `argument` for good.
  virtual void commit(double argument) noexcept = 0;
  virtual void reset() noexcept = 0;

  /// Its memory, where it has one.
  virtual void save(SnapshotWriter& /*snapshot*/) const {}
  virtual void restore(SnapshotReader& /*snapshot*/) {}
};

/// Makes one more of the same law, with its own memory. Empty: the element is linear.
using ConstitutiveLawFactory = std::function<std::unique_ptr<ConstitutiveLaw>()>;

}  // namespace trestle::bond_graph
