#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// The outputs that the model file requests in its physical part, y_s of Gawthrop, Wallace
/// and Wagg (2005): nobody measures them, so the model of that part is computed under the
/// motion of its ports. Sources in it give nothing, as those of a rig. Nothing allocates
/// after the constructor.
class PhysicalOutputs {
 public:
  using Vector = Eigen::VectorXd;

  /// @param model   outlives this; nobody else commits its physical part
  /// @param period  of a step [s]
  PhysicalOutputs(const Substructuring& model, double period);

  /// Names of the outputs: `mass3/m.f`.
  const std::vector<std::string>& names() const noexcept { return names_; }

  /// Back to the initial states of its storages.
  void reset() noexcept;
  /// Begins at a measured displacement of every port [m].
  bool begin(const Vector& displacement) noexcept;
  /// The ports have moved on to `displacement` within a period, each at one velocity; the
  /// outputs are those at its end. Error of second order in the period.
  /// @returns false if an algebraic loop does not converge
  bool advance(const Vector& displacement) noexcept;

  /// In the order of names().
  const Vector& values() const noexcept { return values_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  bool read() noexcept;

  RightHandSide& system_;
  const Vector& initial_;
  double period_;
  Propagator step_;
  std::vector<std::string> names_;
  Vector state_;
  Vector displacement_;  // of the ports, a period ago
  Vector before_;        // their mean velocity over the period before that
  Vector input_, rate_, output_, values_;
};

}  // namespace trestle::bond_graph
