#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/math/carried_inertia.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/specimen_model.h"
#include "numerical/excitation/excitation.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/time_integrator.h"
#include "numerical/structure/structural_model.h"
#include "numerical/substructure/energy_account.h"
#include "numerical/substructure/output_record.h"
#include "numerical/substructure/site_bases.h"
#include "numerical/substructure/spring_forces.h"
#include "numerical/substructure/twin_updating.h"

namespace trestle::substructure {

/// The equations of the structure that belong to a site's interface DOFs, in their order.
/// The specimens of the undivided reference move at all of them.
struct SiteInterface {
  std::vector<int> equations;   ///< of all its DOFs: where the answered forces act
  std::vector<int> controlled;  ///< of those that get a target, in the same order
  /// Its specimen stands preloaded: its zero is the state under gravity, if there is one.
  bool preloaded = true;
  /// The support that its specimen stands on, if supports move each by itself.
  structure::SiteBase base{};
};

/// How a specimen of the undivided reference is moved.
struct UndividedShare {
  /// Its mass, whose inertia the integrator owns: taken out of its force, as a site does.
  /// Size zero: none.
  Eigen::MatrixXd own_mass{};
  /// The laboratory's rates over the structure's; 0: it rests when it is read.
  double rate = 1.0;
};

/// Where the structure stands before step 0: in equilibrium with gravity, and moved from
/// there.
struct InitialState {
  Eigen::VectorXd gravity;       ///< displacement; size zero: there is no gravity
  Eigen::VectorXd displacement;  ///< added to it [m | rad]; size zero: none
  Eigen::VectorXd velocity;      ///< [m/s | rad/s]; size zero: at rest
  /// Of the springs' laws, as they save themselves; empty: at rest.
  std::vector<double> laws{};
  std::vector<double> member_laws{};  ///< of the members' laws, likewise
  /// Force under gravity, K_e·d_g, of each specimen that stands preloaded when the test
  /// begins, its own zero being there; zero of the others. Empty without gravity.
  std::vector<InterfaceVector> preload;
};

/// What a StructuralSubstructure is made of.
struct StructuralSubstructureParts {
  structure::StructuralModel structure;
  std::unique_ptr<integration::TimeIntegrator>
      integrator;  ///< made for this structure and Δt
  excitation::Excitation excitation;
  std::vector<SiteInterface> interfaces;  ///< one per site, or per specimen
  /// One per interface: the undivided reference, which has no sites. Empty: a hybrid test.
  std::vector<std::unique_ptr<SpecimenModel>> undivided;
  std::vector<UndividedShare> shares{};       ///< one per specimen of those, or none
  std::vector<structure::NamedDof> recorded;  ///< DOFs whose motion record() returns
  double time_step = 0.0;                     ///< Δt [s]
  InitialState initial{};
  bool record_from_gravity = false;  ///< displacements without those of gravity
  bool record_energies = false;
  OutputSettings outputs{};
  std::vector<TwinSettings> twins{};  ///< none with undivided specimens
};

/// A structural model with its integrator and its excitation, at rest at first or in its
/// initial state.
///
/// Under gravity the target of a specimen that stands preloaded is the displacement from
/// the gravity state, and its answer is added to the force that it had there. The target of
/// another is the whole displacement: step 0 brings it to the gravity state.
///
/// Where supports move each by itself, motions are absolute; the target of a specimen is
/// relative to the support that it stands on, as a laboratory's floor rests.
///
/// With an integrator that iterates on its springs, `residual_N` records the largest force
/// that a step left unbalanced. A step that leaves more than is accepted ends the run.
///
/// With an integrator that commands N times in a step, each command and its answer are a
/// step of this interface, Δt/N long: step 0, then those of the structure's step 1, and so
/// on. The channel `iteration` counts them in their step, from 1 to N; 0 at step 0. At N
/// the row holds the state of the step that ends there. Before, the recorded motion is that
/// along the path of the commands, and all else that of the last step that has ended.
///
/// As the undivided reference it asks its own specimens at the very places where the sites'
/// forces would enter, by the same arithmetic; requests and answers are then empty. A
/// specimen whose mass the integrator owns feels the difference of its targets, and its
/// inertia is taken out again, as at a site with one tick per step. With an
/// integrator that solves before its target the undivided specimens are one step late too,
/// as perfect rigs would be: it is the test without its transfer systems, whose stability
/// it shares, and comes to the true structure with the first order of Δt.
class StructuralSubstructure final : public NumericalSubstructure {
 public:
  /// @throws std::invalid_argument if the parts do not fit together
  explicit StructuralSubstructure(StructuralSubstructureParts parts);

  std::int64_t steps() const noexcept override;
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  ExcessiveResidual excessive_residual() const noexcept override;
  const ModelNotices* notices() const noexcept override { return &outputs_.notices(); }
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  /// Between correct(k) and predict(k + 1) only.
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  const integration::TimeIntegrator& integrator() const noexcept {
    return *parts_.integrator;
  }
  const integration::StructuralState& state() const noexcept { return state_; }
  /// What it is made of, without the matrices of the structure.
  const StructuralSubstructureParts& parts() const noexcept { return parts_; }

 private:
  /// Of the undivided reference.
  struct OwnSpecimens {
    std::vector<InterfaceMotion> targets;
    std::vector<math::CarriedInertia> inertia;
  };

  /// With several commands in a step.
  struct WithinStep {
    integration::StructuralState predicted;
    Eigen::VectorXd ended;  ///< recorded beside motions, as the last step ended
  };

  int commands() const noexcept { return parts_.integrator->commands(); }
  bool between_steps() const noexcept;
  void iterate(std::int64_t step) noexcept;
  void end_step(std::int64_t step) noexcept;
  void fill_targets(std::int64_t step, std::size_t site, const std::vector<int>& equations,
                    InterfaceMotion& target) const noexcept;
  void take_forces(std::int64_t step, std::span<const SiteResponse> answers) noexcept;
  void load_by(std::int64_t step) noexcept;
  InterfaceVector force_of(std::size_t specimen) noexcept;
  void subtract_springs() noexcept;
  void subtract_members() noexcept;
  StepView view() const noexcept;
  void begin_preloaded() noexcept;
  void account_forces() noexcept;
  void account(std::int64_t step) noexcept;
  void record_beside(std::span<double> row) const noexcept;

  StructuralSubstructureParts parts_;
  integration::StructuralState state_;
  WithinStep within_;
  Eigen::VectorXd load_;
  std::vector<InterfaceVector> forces_;  // of sites or own specimens, as they came last
  OwnSpecimens own_;
  /// Of a scheme that finds the springs' forces itself; null: they are taken at the
  /// prediction.
  const integration::NewtonForces* newton_ = nullptr;
  integration::MemberForces members_;
  OutputRecord outputs_;
  TwinUpdating twins_;
  SiteBases bases_;
  SpringForces springs_;  // empty: no record needs them
  std::optional<EnergyAccount> energies_;
  std::int64_t step_ = -1;  // that was completed last
  Channels channels_;
};

}  // namespace trestle::substructure
