#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "core/base/snapshot.h"
#include "core/types/record.h"
#include "numerical/integration/newton_forces.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/structure/structural_model.h"

namespace trestle::substructure {

/// The work of all forces of a structure from step 0 on, step by step:
/// ΔE = (d_k − d_{k−1})·½(g_k + g_{k−1}) for a force g. The balance is what the input,
/// that of gravity included, is more than all the rest, over the largest input or kinetic
/// energy so far. For
/// a scheme that fulfils the equation of motion at every step with average acceleration it
/// closes to rounding, whatever the laws; for others it measures the scheme.
///
/// What springs and hinges dissipate is their work less what they store, if the scheme
/// finds their forces at the end of the step, if all laws state it and no member yields.
///
/// No call but the constructor allocates.
class EnergyAccount {
 public:
  /// Forces on the equations as the step had them.
  struct Forces {
    Eigen::VectorXd load;  ///< from outside, gravity included
    /// Of nonlinear springs but dampers, before they are carried on.
    Eigen::VectorXd springs;
    Eigen::VectorXd sites;  ///< of specimens, as they answered
    /// Of elastic members with a law, beside K₀·d; size zero: none. Those of yielding ones
    /// are among `springs`.
    Eigen::VectorXd members;
    /// Of springs that are dampers, and of damping on tangents; size zero: none.
    Eigen::VectorXd dampers{};
  };

  /// Forces that a scheme takes at the prediction and carries with their initial stiffness
  /// to where the step ends.
  struct Carried {
    bool sites = false;
    bool springs = true;
  };

  /// @param structure    complete: mass, damping, stiffness, springs, specimens; its laws
  ///                     must outlive this
  /// @param gravity      the part of the load that gravity is; size zero: none
  /// @param carried      what the scheme carries
  EnergyAccount(const structure::StructuralModel& structure, const Eigen::VectorXd& gravity,
                const Carried& carried);

  /// The last one, `energy.hysteretic_J`, only if it is known.
  const Channels& channels() const noexcept { return channels_; }

  /// Where the specimens and springs were asked: kept until the step ends.
  void predicted(const Eigen::VectorXd& displacement) noexcept {
    predicted_ = displacement;
  }
  /// To be filled by the step.
  Forces& forces() noexcept { return now_; }
  /// Adds the forces of nonlinear springs that a scheme found at the end of the step.
  void add_springs(const integration::NewtonForces& found) noexcept;
  /// State 0, with its forces().
  void begin(const integration::StructuralState& state) noexcept;
  /// A further state, with its forces().
  void step(const integration::StructuralState& state) noexcept;

  /// @pre row.size() == channels().size()
  void write(std::span<double> row) const noexcept;

  void save(SnapshotWriter& snapshot) const;
  /// @param state  of the step that was saved
  void restore(SnapshotReader& snapshot, const integration::StructuralState& state);

 private:
  struct Sums {
    double input = 0.0;
    double gravity = 0.0;
    double damping = 0.0;
    double strain = 0.0;
    double springs = 0.0;
    double sites = 0.0;
    double kinetic = 0.0;
    double kinetic_at_first = 0.0;
    double largest = 0.0;  // input, or kinetic energy
    double stored = 0.0;   // by springs with laws
    double stored_at_first = 0.0;
  };

  struct OwnForces {  // of the model's matrices at the state
    Eigen::VectorXd damping;
    Eigen::VectorXd elastic;
  };
  struct Scratch {
    Eigen::VectorXd moved;
    Eigen::VectorXd modal_rates;
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void evaluate(const integration::StructuralState& state) noexcept;
  double balance() const noexcept;
  double stored(const Eigen::VectorXd& displacement) const noexcept;

  structure::SparseMatrix mass_;
  structure::SparseMatrix damping_;
  structure::SparseMatrix stiffness_;
  structure::SparseMatrix of_springs_;   // at rest
  structure::SparseMatrix of_yielding_;  // K₀ of members that may yield
  structure::SparseMatrix of_sites_;  // at rest, as far as the scheme carries their forces
  structure::ModalDampingFactors modal_;
  struct Spring {
    structure::DofTerms elongation;
    const materials::RestoringForce* law;
    bool damper;
  };
  std::vector<Spring> springs_;  // in the structure's order
  bool dampers_ = false;         // there are some among them
  bool hysteretic_ = false;      // what the other springs store is known
  Channels channels_;
  Eigen::VectorXd gravity_;
  Sums sums_;
  Forces now_;
  Forces last_;
  Eigen::VectorXd predicted_;
  Eigen::VectorXd displacement_;  // of the last step
  OwnForces own_now_;
  OwnForces own_last_;
  Scratch scratch_;
};

}  // namespace trestle::substructure
